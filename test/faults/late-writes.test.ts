import { budget } from '../../shared/budget.ts'
import { setClock } from '../../shared/clock.ts'
import { anonymous, customerBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { setMinutesAhead } from '../support/clocks.ts'
import { dumpTable } from '../support/dump-table.ts'
import { inOrder, serveWithFaults, type WireFault } from '../support/fault-proxy.ts'
import { type ApiResponse, type Client, newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

const proxy = serveWithFaults()
setBudget({ backOff: 1 })
afterEach(() => setClock())

/** A network between an application and the database that holds back attempts of writes and delivers them later. */
const networkOf = ({ credentials }: Client) => {
  const held: (() => Promise<unknown>)[] = []
  const hold: WireFault = ({ request, forward }) => {
    held.push(forward)
    request.socket.resetAndDestroy()
  }
  return {
    hold,
    /** Sets the faults of the next attempts to write, in order. */
    next: (faults: WireFault[]) =>
      proxy.inject(credentials.app_id, { label: 'PutItem', ...inOrder(...faults) }),
    /** Delivers the attempts that were held back. Returns their number. */
    deliver: async () => (await Promise.all(held.splice(0).map((forward) => forward()))).length,
  }
}

/** Returns everything stored of an application, with its indexes. */
const storedOf = async ({ credentials }: Client): Promise<unknown[]> =>
  JSON.parse(await dumpTable()).filter(({ pk }: { pk: { S: string } }) => pk.S.startsWith(credentials.app_id))

const path = '/api/customers/me'
const update =
  (name: string) =>
  (client: Client): Promise<ApiResponse> =>
    client.put(path, { id: 'me', name })
const erasure = (client: Client): Promise<ApiResponse> => client.put(path)
const creation = (client: Client): Promise<ApiResponse> =>
  client.post('/api/customers', customerBody({ id: 'me', name: 'First' }))

const writes = {
  update: { earlier: update('Earlier'), later: update('Later'), laterName: 'Later' },
  erasure: { earlier: erasure, later: erasure, laterName: anonymous.name },
}
const kinds = ['update', 'erasure'] as const
/** How a write ends if its first `held` attempts are held back. */
const ends = [
  { how: 'was acknowledged when it was retried', held: 1, status: 200 },
  { how: 'was given up', held: budget.attempts, status: 503 },
]
const cases = ends.flatMap((end) =>
  kinds.flatMap((earlier) =>
    kinds.flatMap((later) => [10, -10].map((ahead) => ({ ...end, earlier, later, ahead }))),
  ),
)

it.each(cases)(
  'a late attempt of an $earlier that $how, by a clock $ahead minutes ahead, changes nothing after a later $later',
  async ({ earlier, held, status, later, ahead }) => {
    const client = await newClient()
    const { hold, next, deliver } = networkOf(client)
    await creation(client)
    setMinutesAhead(() => ahead)
    next(Array(held).fill(hold))
    expect((await writes[earlier].earlier(client)).status).toBe(status)
    setMinutesAhead(() => 0)
    const { json } = await writes[later].later(client)
    expect(json.data.customer.name).toBe(writes[later].laterName)
    const before = await storedOf(client)
    expect(await deliver()).toBe(held)
    expect(await storedOf(client)).toEqual(before)
  },
)

/** The writes of others before the acknowledgement of a write is lost, the status of its response, and the name in the end. */
const between: [string, (keyof typeof writes)[], number, string][] = [
  ['nothing', [], 200, 'Done once'],
  ['an update', ['update'], 200, 'Earlier'],
  ['an erasure', ['erasure'], 200, anonymous.name],
  ['as many writes as an item remembers', ['update', 'erasure', 'update'], 200, 'Earlier'],
  ['more writes than an item remembers', ['update', 'erasure', 'update', 'erasure'], 503, anonymous.name],
]

it.each(between)(
  'a write whose acknowledgement is lost after %s is not executed again',
  async (_, others, status, name) => {
    const client = await newClient()
    await creation(client)
    const meanwhile: WireFault = async (call) => {
      await call.forward()
      for (const other of others) await writes[other].earlier(client)
      call.request.socket.resetAndDestroy()
    }
    networkOf(client).next([meanwhile])
    const response = await update('Done once')(client)
    expect(response.status).toBe(status)
    if (status === 200) expect(response.json.data.customer.name).toBe(name)
    expect((await client.get(path)).json.data.customer.name).toBe(name)
  },
)

it.each([
  ['is carried out if it was throttled', 'throttled', 200, 'Mine'],
  ['may not be repeated if it was lost', 'reset before commit', 503, anonymous.name],
])('a first attempt that more writes overtake than an item remembers %s', async (_, fault, status, name) => {
  const client = await newClient()
  await creation(client)
  const overtaken: WireFault = async (call) => {
    for (const other of ['update', 'erasure', 'update', 'erasure'] as const)
      await writes[other].earlier(client)
    return wireFault(fault)(call)
  }
  networkOf(client).next([overtaken])
  expect((await update('Mine')(client)).status).toBe(status)
  expect((await client.get(path)).json.data.customer.name).toBe(name)
})

it('a create whose acknowledgement is lost leaves a customer anonymised who was erased before the retry', async () => {
  const client = await newClient()
  const erasedMeanwhile: WireFault = async (call) => {
    await call.forward()
    await erasure(client)
    call.request.socket.resetAndDestroy()
  }
  proxy.inject(client.credentials.app_id, { label: 'PutItem', fault: erasedMeanwhile, calls: 1 })
  const { status, json } = await creation(client)
  expect([status, json.data?.customer.name]).toEqual([200, anonymous.name])
})
