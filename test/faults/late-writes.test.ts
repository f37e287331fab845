import { budget } from '../../shared/budget.ts'
import { forgetInstants, setClock } from '../../shared/clock.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { setMinutesAhead } from '../support/clocks.ts'
import { dumpTable } from '../support/dump-table.ts'
import { inOrder, serveWithFaults, type WireFault } from '../support/fault-proxy.ts'
import { anonymous } from '../support/histories.ts'
import { pageAt, upTo } from '../support/lists.ts'
import { type ApiResponse, type Client, newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

const proxy = serveWithFaults()
setBudget({ backOff: 1 })
afterEach(() => setClock())

const lost = wireFault('reset after commit')
const throttled = wireFault('throttled')

/** A network between an application and the database that holds back attempts of writes and delivers them later. */
const networkOf = ({ credentials }: Client) => {
  const held: (() => Promise<unknown>)[] = []
  const hold: WireFault = ({ request, forward }) => {
    held.push(forward)
    request.socket.resetAndDestroy()
  }
  return {
    hold,
    /** The faults of the next attempts of a write, or of another call, in order. */
    next: (fates: WireFault[], label = 'PutItem') =>
      proxy.inject(credentials.app_id, { label, ...inOrder(...fates) }),
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
const everyAttempt = <T>(fate: T): T[] => upTo(budget.attempts).map(() => fate)

const earlierWrites = { update: update('Earlier'), erasure }
const laterWrites = { update: update('Later'), erasure, creation }
const laterNames = { update: 'Later', erasure: anonymous.name, creation: 'First' }
type Later = keyof typeof laterWrites
const changes: Later[] = ['update', 'erasure']
/**
 * How a delayed write ends: its status, the call of which the attempts are held back and their number, and the writes that
 * may follow. A create follows only where the customer did not exist before.
 */
const ends = [
  { how: 'was acknowledged when it was tried again', status: 200, held: 1, laters: changes },
  { how: 'was given up', status: 503, held: budget.attempts, laters: changes },
  { how: 'found nobody', status: 404, call: 'GetItem', held: 1, laters: [...changes, 'creation'] as Later[] },
]
const cases = (['update', 'erasure'] as const).flatMap((earlier) =>
  ends.flatMap(({ laters, ...end }) =>
    laters.flatMap((later) => [0, 10, -10].map((ahead) => ({ earlier, ...end, later, ahead }))),
  ),
)

describe('an attempt that arrives after its write has ended and after a later write changes nothing', () => {
  it.each(cases)(
    '$earlier that $how, $ahead minutes ahead, before $later',
    async ({ earlier, status, call, held, later, ahead }) => {
      const client = await newClient()
      const { hold, next, deliver } = networkOf(client)
      if (status !== 404) await creation(client)
      setMinutesAhead(() => ahead)
      next(
        upTo(held).map(() => hold),
        call,
      )
      expect((await earlierWrites[earlier](client)).status).toBe(status)
      setMinutesAhead(() => 0)
      if (status === 404) await creation(client)
      expect((await laterWrites[later](client)).json.data.customer.name).toBe(laterNames[later])
      const before = await storedOf(client)
      expect(await deliver()).toBe(held)
      expect(await storedOf(client)).toEqual(before)
    },
  )

  it('even if both stamps had to follow one of a clock that was ahead', async () => {
    const client = await newClient()
    const { hold, next, deliver } = networkOf(client)
    await creation(client)
    setMinutesAhead(() => 10)
    await update('From the future')(client)
    setMinutesAhead(() => 0)
    next(everyAttempt(hold))
    expect((await update('Earlier')(client)).status).toBe(503)
    expect((await update('Later')(client)).json.data.customer.name).toBe('Later')
    const before = await storedOf(client)
    expect(await deliver()).toBe(budget.attempts)
    expect(await storedOf(client)).toEqual(before)
  })
})

describe('an attempt of a process whose clock is ten minutes ahead changes nothing after a later write', () => {
  /** Lets the system clock tell the time and these minutes. */
  const setSystemClock = (minutes: number): void => {
    const right = performance.timeOrigin
    jest.spyOn(Date, 'now').mockImplementation(() => right + performance.now() + minutes * 60_000)
  }
  beforeEach(forgetInstants)
  afterEach(() => jest.restoreAllMocks())

  it.each<[string, number]>([
    ['if the clock was set right before it', 0],
    ['if a response of the database has corrected the clock before it', 10],
  ])('%s', async (_, minutes) => {
    const client = await newClient()
    const { hold, next, deliver } = networkOf(client)
    await creation(client)
    setSystemClock(10)
    await client.create('/api/customers', customerBody())
    setSystemClock(minutes)
    next(everyAttempt(hold))
    expect((await update('Earlier')(client)).status).toBe(503)
    // Another process, whose clock is right, two seconds later: a response tells the time in whole seconds.
    forgetInstants()
    setClock(() => performance.timeOrigin + performance.now() + 2_000)
    expect((await update('Later')(client)).json.data.customer.name).toBe('Later')
    const before = await storedOf(client)
    expect(await deliver()).toBe(budget.attempts)
    expect(await storedOf(client)).toEqual(before)
  })
})

/** Writes of others between a write and the loss of its acknowledgement, and the write's response. */
const between: [string, (keyof typeof earlierWrites)[], number, string][] = [
  ['nothing', [], 200, 'Done once'],
  ['an update', ['update'], 200, 'Earlier'],
  ['an erasure', ['erasure'], 200, anonymous.name],
  ['as many writes as an item remembers', ['update', 'erasure', 'update'], 200, 'Earlier'],
  ['more writes than an item remembers', ['update', 'erasure', 'update', 'erasure'], 503, anonymous.name],
]

describe('a write that was executed, and whose acknowledgement is lost after', () => {
  it.each(between)('%s, is not executed again', async (_, others, status, name) => {
    const client = await newClient()
    await creation(client)
    const meanwhile: WireFault = async (call) => {
      await call.forward()
      for (const other of others) await earlierWrites[other](client)
      call.request.socket.resetAndDestroy()
    }
    networkOf(client).next([meanwhile])
    const response = await update('Done once')(client)
    expect(response.status).toBe(status)
    if (status === 200) expect(response.json.data.customer.name).toBe(name)
    expect((await client.get(path)).json.data.customer.name).toBe(name)
  })

  it.each<[string, WireFault[]]>([
    ['a throttle', [throttled]],
    ['a throttle and a lost acknowledgement', [throttled, lost]],
  ])('an erasure long ago, followed by %s, returns 200', async (_, fates) => {
    const client = await newClient()
    await creation(client)
    await erasure(client)
    for (const name of ['Back', 'Again']) {
      networkOf(client).next(fates)
      expect((await update(name)(client)).json.data.customer).toMatchObject({ ...anonymous, name })
    }
  })
})

describe('if the acknowledgement of a create is lost', () => {
  it('and the customer is erased before it is tried again, the customer stays anonymised', async () => {
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

  it('each invoice of a subscription is recorded once, and the subscription follows the latest', async () => {
    const client = await newClient()
    await creation(client)
    const created: { id: string }[] = []
    for (const period_end of ['2024-02-01', '2024-03-01', '2024-04-01']) {
      proxy.inject(client.credentials.app_id, { label: 'TransactWriteItems', fault: lost, calls: 1 })
      const body = invoiceBody({ customer_id: 'me', subscription_id: 'one', period_end })
      created.unshift(await client.create('/api/invoices', body))
      expect(proxy.heal(client.credentials.app_id)).toBe(1)
    }
    expect((await pageAt(client, '/api/invoices')).items).toEqual(created)
    const { items } = await pageAt(client, '/api/subscriptions')
    expect(items).toMatchObject([{ latest_invoice_id: created[0]!.id }])
  })
})

it('a write that was delayed while another was executed is executed after it', async () => {
  const client = await newClient()
  const { hold, next, deliver } = networkOf(client)
  await creation(client)
  const overtaken: WireFault = async (call) => {
    await erasure(client)
    return hold(call)
  }
  next([overtaken])
  expect((await update('After')(client)).json.data.customer).toEqual(
    expect.objectContaining({ ...anonymous, name: 'After' }),
  )
  await deliver()
  expect((await client.get(path)).json.data.customer.name).toBe('After')
  expect(JSON.stringify(await storedOf(client))).not.toContain('First')
})
