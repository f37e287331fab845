import { budget } from '../../shared/budget.ts'
import { findApplication } from '../../shared/http/authenticate.ts'
import { currentService } from '../../shared/store/service.ts'
import { addApiKey, listApiKeys, type NewApiKey, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  listApplications,
} from '../../tools/applications/applications.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { forgetInstants, setClock } from '../support/clock.ts'
import { storedItems } from '../support/database/dump-table.ts'
import {
  faultsInOrder,
  passThrough,
  serveWithFaults,
  type WireFault,
} from '../support/database/fault-proxy.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { anonymisedValues, customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { type ApiResponse, type Client, clientOf, newClient } from '../support/requests/service.ts'
import { immediateRemoval } from '../support/stack/removals.ts'

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

describe('a command of the operator', () => {
  /** Calling it lets the attempt arrive at the database. */
  type HeldAttempt = () => Promise<unknown>

  /** Loses the connection of each write's first attempt, so that it is sent again. Returns the first attempts, which arrive when called. */
  const holdFirstAttempts = async (work: () => Promise<unknown>): Promise<HeldAttempt[]> => {
    const held = new Map<string, HeldAttempt>()
    proxy.inject('*', {
      label: '*',
      calls: Number.POSITIVE_INFINITY,
      fault: (sent) => {
        // Each attempt of a transaction has a token of its own.
        const call = sent.body.toString().replace(/"ClientRequestToken":"[^"]*"/, '')
        const isWrite = /PutItem|TransactWriteItems/.test(String(sent.request.headers['x-amz-target']))
        if (!isWrite || held.has(call)) return passThrough(sent)
        held.set(call, sent.forward)
        sent.request.socket.resetAndDestroy()
      },
    })
    await work()
    proxy.heal('*')
    return [...held.values()]
  }

  const letArrive = async (attempts: readonly HeldAttempt[]): Promise<void> => {
    for (const arrive of attempts) await arrive()
  }

  /** According to the database. */
  const isAccepted = async (appId: string, apiKey: string): Promise<boolean> => {
    currentService().keyCache.clear()
    return (await findApplication(appId, apiKey)) !== undefined
  }

  it.each<[string, (appId: string) => Promise<NewApiKey>]>([
    ['create', () => createApplication('Late')],
    ['rotate', addApiKey],
  ])('a late attempt of %s does not restore a key that was revoked in the meantime', async (_, make) => {
    const { app_id } = await createApplication('Early')
    let key = { app_id: '', api_key: '', key_id: '' }
    const attempts = await holdFirstAttempts(async () => {
      key = await make(app_id)
    })
    expect(attempts).toHaveLength(1)
    expect(await isAccepted(key.app_id, key.api_key)).toBe(true)
    await revokeApiKey(key.app_id, key.key_id)
    await letArrive(attempts)
    expect(await isAccepted(key.app_id, key.api_key)).toBe(false)
  })

  it.each<[string, (appId: string) => Promise<unknown>]>([
    ['disable', disableApplication],
    ['enable', enableApplication],
    ['rotate', addApiKey],
  ])('a command that %s overtakes asks the operator to run it again', async (_, other) => {
    const { app_id } = await createApplication('Overtaken')
    proxy.inject(app_id, {
      label: 'TransactWriteItems',
      calls: 1,
      fault: async (call) => {
        await other(app_id)
        return passThrough(call)
      },
    })
    await expect(enableApplication(app_id)).rejects.toThrow(/^another command .* run this one again$/)
    expect(await enableApplication(app_id)).toMatchObject({ disabled: null })
  })

  const lostAcknowledgement = wireFault('reset after commit')

  it('a lost acknowledgement of create or rotate leaves one application and one key for each, which are accepted', async () => {
    proxy.inject('*', { label: 'TransactWriteItems', fault: lostAcknowledgement, calls: 1 })
    const credentials = await createApplication('Lost')
    expect(proxy.heal('*')).toBe(1)
    proxy.inject('*', { label: 'TransactWriteItems', fault: lostAcknowledgement, calls: 1 })
    const second = await addApiKey(credentials.app_id)
    expect(proxy.heal('*')).toBe(1)
    expect((await clientOf(credentials).get('/api/products')).status).toBe(200)
    expect((await clientOf(second).get('/api/products')).status).toBe(200)
    expect((await listApplications()).filter(({ name }) => name === 'Lost')).toHaveLength(1)
    expect(await listApiKeys(credentials.app_id)).toHaveLength(2)
  })

  it('a lost acknowledgement of disable leaves a disabled application', async () => {
    const { app_id } = await createApplication('Lost')
    proxy.inject(app_id, { label: 'TransactWriteItems', fault: lostAcknowledgement, calls: 1 })
    expect(await disableApplication(app_id)).toMatchObject({ disabled: expect.any(String) })
    expect(proxy.heal(app_id)).toBe(1)
  })

  // In these tests, time passes only while a removal waits. AWS accepts a request for five minutes after it was
  // signed, and the last request is signed 66 s after the beginning.
  it.each([80_000, 200_000, 365_000])(
    'attempts that arrive %i ms after the beginning of a removal restore nothing of the application',
    async (arrival) => {
      let first: NewApiKey | undefined
      let second: NewApiKey | undefined
      const attempts = await holdFirstAttempts(async () => {
        first = await createApplication('Delayed')
        second = await addApiKey(first.app_id)
        const client = clientOf(second)
        await scaleAtOnce(client, 4)
        const { id } = await client.create('/api/customers', customerBody())
        await client.create('/api/invoices', invoiceBody({ customer_id: id }))
      })
      // The application, the key, the scaling twice, the customer, and the invoice with its subscription.
      expect(attempts).toHaveLength(6)
      const { app_id } = first!
      let waited = 0
      const wait = async (millis: number) => {
        if (waited <= arrival && arrival < waited + millis) await letArrive(attempts)
        waited += millis
      }
      await removeApplication(app_id, immediateRemoval({ wait }))
      expect(waited).toBeGreaterThan(arrival)
      const tombstone = [expect.objectContaining({ sk: { S: 'APP' }, removed: expect.anything() })]
      expect(await storedItems(app_id)).toEqual(tombstone)
      const listed = await listApplications()
      expect(listed.map((application) => application.app_id)).not.toContain(app_id)
      currentService().keyCache.clear()
      for (const credentials of [first!, second!])
        expect((await clientOf(credentials).get('/api/customers')).status).toBe(401)
    },
  )

  it('attempts of commands that arrive after a removal write no key and no application', async () => {
    let appId = ''
    const attempts = await holdFirstAttempts(async () => {
      appId = (await createApplication('Delayed')).app_id
      await addApiKey(appId)
    })
    await removeApplication(appId, immediateRemoval())
    await letArrive(attempts)
    expect(attempts).toHaveLength(2)
    expect(await storedItems(appId)).toHaveLength(1)
  })

  it('attempts that arrive after an application was emptied restore nothing, and its keys are still accepted', async () => {
    const client = await newClient()
    const attempts = await holdFirstAttempts(() =>
      client.create('/api/customers', customerBody({ id: 'late' })),
    )
    let waited = 0
    const wait = async (millis: number) => {
      waited += millis
      if (waited === 350_000) await letArrive(attempts)
    }
    const { app_id } = client.credentials
    await removeApplication(app_id, immediateRemoval({ keepApplication: true, wait }))
    currentService().keyCache.clear()
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
    expect(await client.create('/api/customers', customerBody({ id: 'late' }))).toMatchObject({})
  })
})
