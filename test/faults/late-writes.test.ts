import { budget } from '../../shared/budget.ts'
import { forgetInstants, setClock } from '../support/clock.ts'
import { storedItems } from '../support/database/dump-table.ts'
import { faultsInOrder, serveWithFaults, type WireFault } from '../support/database/fault-proxy.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { anonymisedValues, customerBody } from '../support/requests/bodies.ts'
import { type ApiResponse, type Client, newClient } from '../support/requests/service.ts'

// `npm run check:histories` combines these writes and faults at random, with processes whose clocks differ by
// seconds.
const proxy = serveWithFaults()
afterEach(() => setClock())

/** Each write looks as if it came from a process that has just started. */
const setMinutesAhead = (minutes: number): void =>
  setClock(() => {
    forgetInstants()
    return Date.now() + minutes * 60_000
  })

/** One into each attempt. */
const failNextWrites = ({ credentials }: Client, ...faults: WireFault[]): void =>
  proxy.inject(credentials.app_id, { label: 'PutItem', ...faultsInOrder(...faults) })

const path = '/api/customers/me'
const writes = {
  update: (client: Client, name: string): Promise<ApiResponse> => client.put(path, { id: 'me', name }),
  erasure: (client: Client): Promise<ApiResponse> => client.put(path),
}
const create = (client: Client): Promise<ApiResponse> =>
  client.post('/api/customers', customerBody({ id: 'me', name: 'First' }))

/**
 * How the write ends, of which some attempts are held back: it succeeds when it is retried, or all attempts
 * are held.
 */
const endings = [
  { ending: 'succeeded when it was retried', heldAttempts: 1, status: 200 },
  { ending: 'failed', heldAttempts: budget.maxAttempts, status: 503 },
]
const kinds = ['update', 'erasure'] as const
const cases = endings.flatMap((ending) =>
  kinds.flatMap((earlier) =>
    kinds.flatMap((later) => [10, -10].map((minutesAhead) => ({ ...ending, earlier, later, minutesAhead }))),
  ),
)

it.each(cases)(
  'a late attempt of an $earlier that $ending, by a clock $minutesAhead minutes ahead, changes nothing after an $later',
  async ({ earlier, heldAttempts, status, later, minutesAhead }) => {
    const client = await newClient()
    await create(client)
    const lateAttempts: (() => Promise<unknown>)[] = []
    const hold: WireFault = ({ request, forward }) => {
      lateAttempts.push(forward)
      request.socket.resetAndDestroy()
    }
    setMinutesAhead(minutesAhead)
    failNextWrites(client, ...Array<WireFault>(heldAttempts).fill(hold))
    expect((await writes[earlier](client, 'Earlier')).status).toBe(status)
    setMinutesAhead(0)
    const { json } = await writes[later](client, 'Later')
    expect(json.data.customer.name).toBe({ update: 'Later', erasure: anonymisedValues.name }[later])
    const before = await storedItems(client.credentials.app_id)
    expect(lateAttempts).toHaveLength(heldAttempts)
    for (const arrive of lateAttempts) await arrive()
    expect(await storedItems(client.credentials.app_id)).toEqual(before)
  },
)

it.each([
  ['is repeated if the database refused it', 'throttled', 200, 'Mine'],
  ['is not repeated if it may have been executed', 'reset before commit', 503, anonymisedValues.name],
])('a write that is overtaken by more writes than an item remembers %s', async (_, fault, status, name) => {
  const client = await newClient()
  await create(client)
  failNextWrites(client, async (call) => {
    for (const other of [...kinds, ...kinds]) await writes[other](client, 'Other')
    return wireFault(fault)(call)
  })
  expect((await writes.update(client, 'Mine')).status).toBe(status)
  expect((await client.get(path)).json.data.customer.name).toBe(name)
})

it('the retry of a create does not undo an erasure since its first attempt', async () => {
  const client = await newClient()
  failNextWrites(client, async (call) => {
    await call.forward()
    await writes.erasure(client)
    call.request.socket.resetAndDestroy()
  })
  const { status, json } = await create(client)
  expect(status).toBe(200)
  expect(json.data.customer.name).toBe(anonymisedValues.name)
})
