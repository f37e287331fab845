import { type Served, serve } from './traffic.ts'
import { pairOf } from './workload.ts'
import type { World } from './world.ts'

/** Starts the bare server: the SDK calls that our handlers make, behind `node:http`; it needs one recorded customer. */
export const serveBare = async (world: World): Promise<Served> => {
  const [get, put] = [await pairOf(world, 'retrieve'), await pairOf(world, 'create')]
  if (get.bare.side !== 'bare' || put.bare.side !== 'bare') throw new Error('The sides are mixed up')
  const bareServing = {
    side: 'bare',
    file: get.bare.file,
    get: get.bare.input,
    put: put.bare.input,
  } as const
  return serve(bareServing, world.env)
}
