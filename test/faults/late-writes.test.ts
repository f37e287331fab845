import { budget } from '../../shared/budget.ts'
import { setBudget } from '../support/budgets.ts'
import { forgetInstants, setClock } from '../support/clock.ts'
import { dumpTable } from '../support/database/dump-table.ts'
import { faultsInOrder, serveWithFaults, type WireFault } from '../support/database/fault-proxy.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { anonymisedValues, customerBody } from '../support/requests/bodies.ts'
import { type ApiResponse, type Client, newClient } from '../support/requests/service.ts'

// `npm run check:histories` mixes these writes and faults at random, with processes whose clocks differ by seconds.
const proxy = serveWithFaults()
setBudget({ firstBackOff: 1 })
afterEach(() => setClock())

/** Lets each reading of the time come from a process of its own, whose clock is ahead. */
const setMinutesAhead = (minutes: number): void =>
  setClock(() => {
    forgetInstants()
    return Date.now() + minutes * 60_000
  })

/** Injects faults into the next attempts of a client to write. */
const failNext = ({ credentials }: Client, ...faults: WireFault[]): void =>
  proxy.inject(credentials.app_id, { label: 'PutItem', ...faultsInOrder(...faults) })

/** Returns everything stored of an application, with its indexes. */
const storedOf = async ({ credentials }: Client): Promise<unknown[]> =>
  JSON.parse(await dumpTable()).filter(({ pk }: { pk: { S: string } }) => pk.S.startsWith(credentials.app_id))

const path = '/api/customers/me'
const writes = {
  update: (client: Client, name: string): Promise<ApiResponse> => client.put(path, { id: 'me', name }),
  erasure: (client: Client): Promise<ApiResponse> => client.put(path),
}
const creation = (client: Client): Promise<ApiResponse> =>
  client.post('/api/customers', customerBody({ id: 'me', name: 'First' }))

const ends = [
  { how: 'was acknowledged when it was retried', held: 1, status: 200 },
  { how: 'was given up', held: budget.maxAttempts, status: 503 },
]
const kinds = ['update', 'erasure'] as const
const cases = ends.flatMap((end) =>
  kinds.flatMap((earlier) =>
    kinds.flatMap((later) => [10, -10].map((ahead) => ({ ...end, earlier, later, ahead }))),
  ),
)

it.each(cases)(
  'a late attempt of an $earlier that $how, by a clock $ahead minutes ahead, changes nothing after a later $later',
  async ({ earlier, held, status, later, ahead }) => {
    const client = await newClient()
    await creation(client)
    const late: (() => Promise<unknown>)[] = []
    const hold: WireFault = ({ request, forward }) => {
      late.push(forward)
      request.socket.resetAndDestroy()
    }
    setMinutesAhead(ahead)
    failNext(client, ...Array(held).fill(hold))
    expect((await writes[earlier](client, 'Earlier')).status).toBe(status)
    setMinutesAhead(0)
    const { json } = await writes[later](client, 'Later')
    expect(json.data.customer.name).toBe({ update: 'Later', erasure: anonymisedValues.name }[later])
    const before = await storedOf(client)
    expect(late).toHaveLength(held)
    for (const arrive of late) await arrive()
    expect(await storedOf(client)).toEqual(before)
  },
)

it.each([
  ['is carried out if it was throttled', 'throttled', 200, 'Mine'],
  ['may not be repeated if it was lost', 'reset before commit', 503, anonymisedValues.name],
])('a first attempt that more writes overtake than an item remembers %s', async (_, fault, status, name) => {
  const client = await newClient()
  await creation(client)
  failNext(client, async (call) => {
    for (const other of [...kinds, ...kinds]) await writes[other](client, 'Other')
    return wireFault(fault)(call)
  })
  expect((await writes.update(client, 'Mine')).status).toBe(status)
  expect((await client.get(path)).json.data.customer.name).toBe(name)
})

it('a create whose acknowledgement is lost leaves a customer anonymised who was erased before the retry', async () => {
  const client = await newClient()
  failNext(client, async (call) => {
    await call.forward()
    await writes.erasure(client)
    call.request.socket.resetAndDestroy()
  })
  const { status, json } = await creation(client)
  expect({ status, name: json.data?.customer.name }).toEqual({ status: 200, name: anonymisedValues.name })
})
