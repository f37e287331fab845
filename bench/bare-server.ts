import { type Served, serve } from './traffic.ts'
import { pairOf } from './workload.ts'
import type { World } from './world.ts'

/** Starts the bare server, which makes the SDK calls of our handlers behind `node:http`. Requires one recorded customer. */
export const serveBare = async (world: World): Promise<Served> => {
  const [get, put] = [await pairOf(world, 'retrieve'), await pairOf(world, 'create')]
  if (get.bare.side !== 'bare' || put.bare.side !== 'bare')
    throw new Error('The bare side of a pair must be bare')
  const bareServing = {
    side: 'bare',
    file: get.bare.file,
    get: get.bare.input,
    put: put.bare.input,
  } as const
  return serve(bareServing, world.env)
}
