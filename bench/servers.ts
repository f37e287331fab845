import { customerBody } from './bodies.ts'
import { load, requests, type Served, serve } from './traffic.ts'
import { pairOf, recordCustomers } from './workload.ts'
import type { World } from './world.ts'

/** Starts our local service on a world's table, with an application of its own. */
export const serveOurs = ({ endpoint, table, env }: World): Promise<Served> =>
  serve({ side: 'ours', endpoint, table }, env)

/** Starts the bare server, which makes the SDK calls of our handlers behind `node:http`. */
const serveBare = async (world: World): Promise<Served> => {
  const [get, put] = [(await pairOf(world, 'retrieve')).bare, (await pairOf(world, 'create')).bare]
  return serve({ side: 'bare', file: get.file, get: get.input, put: put.input }, world.env)
}

/** Starts both servers, each with one recorded customer, and ends them after the work. */
export const withServers = async <Result>(
  world: World,
  work: (ours: Served, bare: Served) => Promise<Result>,
): Promise<Result> => {
  await recordCustomers(world, 1)
  const bare = await serveBare(world)
  const ours = await serveOurs(world)
  try {
    // The service has an application of its own, in which the customer must be recorded too.
    const first = { ...requests.create, body: JSON.stringify(customerBody('customer-1')) }
    await load(ours, { requests: [first], seconds: 1 })
    return await work(ours, bare)
  } finally {
    ours.end()
    bare.end()
  }
}
