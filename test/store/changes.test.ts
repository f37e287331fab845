import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { settledUntil } from '../../shared/store/changes.ts'
import { MAX_QUERIES } from '../../shared/store/query.ts'
import { callsEnded } from '../../shared/store/send.ts'
import { currentService, dynamodb } from '../../shared/store/service.ts'
import { realBudget } from '../support/budgets.ts'
import { forgetInstants, setClock } from '../support/clock.ts'
import { databaseCallsOf } from '../support/database/database-calls.ts'
import { interceptCalls } from '../support/database/intercepted-calls.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { readPage, readPages } from '../support/requests/list-pages.ts'
import { clientForTests, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()
afterEach(() => {
  setClock()
  forgetInstants()
})

it('the hold-back is longer than any write takes until the indexes show it', () => {
  const signatureLifetime = 300_000
  const clockDifference = 2 * 2_000
  const indexDelay = 10_000
  const longest = realBudget.request + signatureLifetime + clockDifference + indexDelay
  expect(HOLD_BACK_SECONDS * 1_000).toBeGreaterThan(longest)
})

it('an update by a clock that is far behind does not move an entity down in a change feed', async () => {
  const second = 1_800_000_000
  setClock(() => second * 1_000)
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'ann' }))
  /** As a new process does whose clock shows this second. */
  const writeAt = async (clockSecond: number, period_end: string) => {
    forgetInstants()
    setClock(() => clockSecond * 1_000)
    await client.create(
      '/api/invoices',
      invoiceBody({ customer_id: 'ann', subscription_id: 'pro', period_end }),
    )
    await client.put('/api/customers/ann', { id: 'ann', name: period_end })
  }
  await writeAt(second, '2024-03-01')
  await writeAt(second + 100, '2024-04-01')
  await writeAt(second - 3_600, '2024-05-01')
  setClock(() => (second + 200) * 1_000)
  for (const list of ['customers', 'subscriptions']) {
    const [page] = await readPages(client, `/api/${list}`, { changed_since: second + 100 })
    expect(page!.items).toMatchObject([{ changed: second + 100 }])
  }
  expect((await client.get('/api/customers/ann')).json.data.customer.name).toBe('2024-05-01')
})

it('many consecutive entities that have changed since end a page of a change feed early, but never leave it empty', async () => {
  let second = 1_800_000_000
  setClock(() => second * 1_000)
  const client = await newClient()
  const ids = range(24).map((number) => `c${number}`)
  for (const id of ids) await client.create('/api/customers', customerBody({ id }))
  second += 1
  for (const id of ids) await client.put(`/api/customers/${id}`)
  second += 1
  // Each query returns one entry, as if an entry were as large as a response of the database can be.
  interceptCalls(({ command, input }, proceed) =>
    proceed(command === 'QueryCommand' ? { ...input, Limit: 1 } : input),
  )
  const query = { changed_since: 0, include: 'external_id', limit: 100 }
  const pages = await readPages(client, '/api/customers', query)
  for (const { items } of pages) expect(items.length).toBeGreaterThan(0)
  const items = pages.flatMap((page) => page.items)
  const seconds = items.map(({ changed }) => changed)
  expect(seconds).toEqual(seconds.toSorted())
  const lastChanges = items.filter(({ changed }) => changed === second - 1)
  expect(lastChanges.map(({ external_id }) => external_id)).toEqual(ids)
  expect(pages.length).toBeGreaterThan(2)
})

it('reads past many entities that have changed since in few queries', async () => {
  let second = 1_800_000_000
  setClock(() => second * 1_000)
  const client = await newClient()
  const ids = range(40).map((number) => `c${number}`)
  await inParallel(ids, (id) => client.create('/api/customers', customerBody({ id })))
  second += 1
  await inParallel(ids, (id) => client.put(`/api/customers/${id}`))
  second += 1
  const calls = await databaseCallsOf(async () => {
    const { items } = await readPage(client, '/api/customers', { changed_since: 0, limit: 1 })
    expect(items).toMatchObject([{ changed: second - 1 }])
  })
  // One query reads the index of changes. Each query of the list reads twice as many as the one before it.
  expect(calls.filter(({ command }) => command === 'QueryCommand')).toHaveLength(7)
})

it('a service of one process records nothing below the end of a change feed, even if its clock is set back', () => {
  const machine = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000)
  const end = settledUntil(currentService())
  machine.mockReturnValue(1_799_999_400_000)
  expect(end).toBe(1_800_000_000)
  expect(settledUntil(currentService())).toBe(1_800_000_000)
  expect(currentService().clock.recordingInstant()).toBe(end * 1_000_000)
  machine.mockRestore()
})

describe('the queries of a process', () => {
  afterAll(() => setClock())

  const SHARDS = 32

  const client = clientForTests()
  /** Now and at most so far. */
  let inFlight = 0
  let mostInFlight = 0
  beforeAll(async () => {
    await scaleAtOnce(client, SHARDS)
    dynamodb().middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'QueryCommand') return next(args)
          inFlight += 1
          mostInFlight = Math.max(mostInFlight, inFlight)
          try {
            return await next(args)
          } finally {
            inFlight -= 1
          }
        },
      { step: 'initialize' },
    )
  })

  it(`a process sends at most ${MAX_QUERIES} queries at once, however many pages it reads`, async () => {
    const responses = await inParallel(range(3), () => client.get('/api/products'))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect({ mostInFlight, inFlight }).toEqual({ mostInFlight: MAX_QUERIES, inFlight: 0 })
  })

  it('a query that fails frees its place for another one', async () => {
    const table = process.env.TABLE_NAME
    process.env.TABLE_NAME = 'missing'
    expect((await client.get('/api/products')).status).toBe(500)
    process.env.TABLE_NAME = table
    // The first failure ends the request, while other queries may still be in flight.
    while (inFlight > 0) await callsEnded()
    mostInFlight = 0
    expect((await client.get('/api/products')).status).toBe(200)
    expect({ mostInFlight, inFlight }).toEqual({ mostInFlight: MAX_QUERIES, inFlight: 0 })
  })
})
