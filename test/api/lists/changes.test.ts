import { setTimeout as pause } from 'node:timers/promises'
import { setClock } from '../../support/clock.ts'
import { passThrough, serveWithFaults } from '../../support/database/fault-proxy.ts'
import { interceptCalls } from '../../support/database/intercepted-calls.ts'
import { customerBody, invoiceBody, priceBody, productBody } from '../../support/requests/bodies.ts'
import { clientWithExamples } from '../../support/requests/examples.ts'
import { readList, readPage } from '../../support/requests/list-pages.ts'
import { type Client, clientForEachTest, newClient } from '../../support/requests/service.ts'

const proxy = serveWithFaults()

const DAY_SECONDS = 86_400

/** Since the epoch. */
let second = 1_800_000_000
beforeEach(() => setClock(() => second * 1_000))
afterEach(() => {
  process.env.HOLD_BACK_SECONDS = '0'
})
afterAll(() => setClock())

/** Returns these seconds. Afterwards, the time is a later second. */
const sendOneEachSecond = async (...requests: (() => Promise<unknown>)[]): Promise<number[]> => {
  const seconds: number[] = []
  for (const send of requests) {
    seconds.push(second)
    await send()
    second += 1
  }
  return seconds
}

/** By default from the beginning. */
const readFeed = (client: Client, path: string, query: object = {}) =>
  readList(client, path, { changed_since: 0, include: 'external_id', ...query })

/** The client id of each entity, and the second of its change. */
const changesIn = (items: readonly { external_id: string; changed: number }[]) =>
  items.map(({ external_id, changed }) => [external_id, changed])
const clientIdsIn = (items: readonly { external_id: string }[]) => items.map(({ external_id }) => external_id)

it.each(['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'])(
  'lists all %s with changed_since=0 as without it, each with the second of its change',
  async (list) => {
    const client = await clientWithExamples()
    const recordedAt = second
    second += 1
    const entities = await readList(client, `/api/${list}`)
    expect(entities.length).toBeGreaterThan(0)
    expect(await readList(client, `/api/${list}`, { changed_since: 0 })).toEqual(
      entities.map((entity) => ({ ...entity, changed: recordedAt })),
    )
  },
)

it('lists the entities recorded or changed since a time, each once with its current values, oldest change first', async () => {
  const client = await newClient()
  const create = (id: string) => () => client.create('/api/customers', customerBody({ id }))
  const update = (id: string) => () => client.put(`/api/customers/${id}`, { id, name: `New ${id}` })
  const erase = () => client.put('/api/customers/a')
  const creates = ['a', 'b', 'c', 'd'].map(create)
  const seconds = await sendOneEachSecond(...creates, update('b'), erase, update('c'), update('b'))
  const items = await readFeed(client, '/api/customers')
  expect(changesIn(items)).toEqual([
    ['d', seconds[3]],
    ['a', seconds[5]],
    ['c', seconds[6]],
    ['b', seconds[7]],
  ])
  expect(items.map(({ name }) => name)).toEqual(['Ann Example', 'Anonymous customer', 'New c', 'New b'])
  const later = await readFeed(client, '/api/customers', { changed_since: seconds[6] })
  expect(changesIn(later)).toEqual(changesIn(items).slice(2))
})

it('combines changed_since with a filter of entities that never change', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'one' }))
  await client.create('/api/customers', customerBody({ id: 'other' }))
  const createInvoice = (id: number, customer_id: string) => () =>
    client.create('/api/invoices', invoiceBody({ id, customer_id, subscription_id: customer_id }))
  const seconds = await sendOneEachSecond(
    createInvoice(0, 'one'),
    createInvoice(1, 'other'),
    createInvoice(2, 'one'),
  )
  const query = { customer_id: 'one', limit: 1 }
  expect(changesIn(await readFeed(client, '/api/invoices', query))).toEqual([
    ['0', seconds[0]],
    ['2', seconds[2]],
  ])
  const since = { ...query, changed_since: seconds[1] }
  expect(changesIn(await readFeed(client, '/api/invoices', since))).toEqual([['2', seconds[2]]])
})

const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString()

it.each<[string, (seconds: number) => string]>([
  ['seconds', String],
  ['a date-time', isoTime],
  ['a time in UTC', (seconds) => isoTime(seconds).slice(0, 19).replace('T', ' ')],
  ['a day', (seconds) => isoTime(seconds).slice(0, 10)],
])('accepts %s as changed_since, and lists the changes from that time on', async (_, format) => {
  const startOfDay = Math.ceil(second / DAY_SECONDS) * DAY_SECONDS
  second = startOfDay
  const client = await newClient()
  await sendOneEachSecond(() => client.create('/api/products', productBody({ id: 'x' })))
  expect(await readFeed(client, '/api/products', { changed_since: format(startOfDay) })).toHaveLength(1)
  const nextDay = format(startOfDay + DAY_SECONDS)
  expect(await readFeed(client, '/api/products', { changed_since: nextDay })).toEqual([])
})

it('accepts a day before the epoch as changed_since', async () => {
  const client = await newClient()
  await sendOneEachSecond(() => client.create('/api/products', productBody({ id: 'x' })))
  expect(await readFeed(client, '/api/products', { changed_since: '1969-12-31' })).toHaveLength(1)
})

it('does not list the changes of the second before changed_since', async () => {
  const client = await newClient()
  const [recordedAt = 0] = await sendOneEachSecond(() => client.create('/api/products', productBody()))
  expect(await readFeed(client, '/api/products', { changed_since: recordedAt + 1 })).toEqual([])
})

it.each(['', 'null', 'None', '-1', '1.5', '1e9', '2026-02-30', '2026-01-01T00:00:00 01:00', 1.8e12])(
  'refuses %j as changed_since',
  async (value) => {
    const client = await newClient()
    expect(await client.get(`/api/products?changed_since=${value}`)).toMatchObject({
      status: 422,
      details: [expect.stringMatching(/^changed_since must be seconds since/)],
    })
  },
)

it('refuses changed_since with a filter of entities that can change', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  const { details } = await client.get('/api/subscriptions?changed_since=0&customer_id=me')
  expect(details).toEqual([
    'changed_since must not be combined with customer_id in this list: subscriptions can change, and no index has the changes that belong to one customer_id.',
  ])
})

it('returns an empty list for changed_since in the future', async () => {
  const client = await newClient()
  await sendOneEachSecond(() => client.create('/api/products', productBody()))
  const page = await readPage(client, '/api/products', { changed_since: '3000-01-01' })
  expect(page).toMatchObject({ ids: [], next: null, previous: null })
})

/** One each second. */
const startFeed = async () => {
  const client = await newClient()
  const create = (id: string) => () => client.create('/api/customers', customerBody({ id }))
  await sendOneEachSecond(create('a'), create('b'), create('c'))
  const query = { changed_since: second - 3, include: 'external_id', limit: 1 }
  const page = await readPage(client, '/api/customers', query)
  return { client, query, cursor: page.next! }
}

it('continues a change feed by its cursor alone, or with the same parameters in any spelling', async () => {
  const { client, query, cursor } = await startFeed()
  const alone = await readPage(client, '/api/customers', { cursor, limit: 1 })
  expect(changesIn(alone.items)).toEqual([['b', second - 2]])
  const same = await readPage(client, '/api/customers', { ...query, cursor })
  expect(same.response.json).toEqual(alone.response.json)
  const otherSpelling = { changed_since: isoTime(query.changed_since), include: 'external_id, external_id' }
  const rest = await readPage(client, '/api/customers', { ...otherSpelling, cursor, limit: 100 })
  expect(clientIdsIn(rest.items)).toEqual(['b', 'c'])
})

/** Returns the response to the first page's cursor with other parameters. */
const continueFeed = async (first: object, parameters: Readonly<Record<string, string>>) => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  const create = () => client.create('/api/invoices', invoiceBody({ customer_id: 'me' }))
  await sendOneEachSecond(create, create)
  const { next: cursor } = await readPage(client, '/api/invoices', { ...first, limit: 1 })
  return client.get(`/api/invoices?${new URLSearchParams({ ...parameters, cursor: cursor! })}`)
}

const withIncludes = { changed_since: 0, include: 'customer,external_id' }
it.each<[string, object, Record<string, string>, string, string]>([
  ['another start', { changed_since: 0 }, { changed_since: '5' }, 'changed_since', '0'],
  ['a start, if the first page had none', {}, { changed_since: '0' }, 'changed_since', 'none'],
  ['other includes', { changed_since: 0 }, { include: 'customer' }, 'include', 'none'],
  ['a part of its includes', withIncludes, { include: 'customer' }, 'include', 'customer,external_id'],
  [
    'more includes',
    withIncludes,
    { include: 'customer,external_id,discounts' },
    'include',
    'customer,external_id',
  ],
])('refuses the cursor of a change feed with %s', async (_, first, parameters, name, value) => {
  const rule = 'must be absent with this cursor, or the same as for its first page'
  expect(await continueFeed(first, parameters)).toMatchObject({
    status: 422,
    details: [`${name} ${rule}: ${value}.`],
  })
})

it('accepts the cursor of a change feed with the same includes in another order', async () => {
  const response = await continueFeed(withIncludes, { include: 'external_id,customer' })
  expect(response).toMatchObject({ status: 200, details: [] })
})

it('ends a change feed despite concurrent changes, which the next feed contains', async () => {
  const { client, cursor } = await startFeed()
  const update = (id: string) => () => client.put(`/api/customers/${id}`, { id, name: 'New' })
  const seconds = await sendOneEachSecond(update('a'), update('b'))
  const rest = await readPage(client, '/api/customers', { cursor, limit: 1 })
  expect(clientIdsIn(rest.items)).toEqual(['c'])
  expect(rest.next).toBeNull()
  const [{ changed }] = rest.items
  expect(changesIn(await readFeed(client, '/api/customers', { changed_since: changed }))).toEqual([
    ['c', changed],
    ['a', seconds[0]],
    ['b', seconds[1]],
  ])
})

it('returns the previous page of a change feed, which is empty if all of its entities have changed since', async () => {
  const { client, cursor } = await startFeed()
  const middle = await readPage(client, '/api/customers', { cursor, limit: 1 })
  const back = await readPage(client, '/api/customers', { cursor: middle.previous, limit: 1 })
  expect(clientIdsIn(back.items)).toEqual(['a'])
  expect(back.next).not.toBeNull()
  expect(back.previous).toBeNull()
  await client.put('/api/customers/a')
  const empty = await readPage(client, '/api/customers', { cursor: middle.previous, limit: 1 })
  expect(empty).toMatchObject({ ids: [], next: null, previous: null })
})

it.each([
  ['percent-encoded', 'Müller & Söhne – 東京', 'Müller & Söhne – 東京'],
  ['without what follows its first 200 characters', `${'x'.repeat(199)}😀😀`, `${'x'.repeat(199)}😀`],
])(
  'names the application in the pages of a change feed, %s, and in no other list',
  async (_, given, shown) => {
    const client = await newClient(given)
    const nameIn = async (path: string) => (await client.get(path)).headers.get('application-name')
    const name = await nameIn('/api/products?changed_since=0')
    expect(decodeURIComponent(name!)).toBe(shown)
    expect(await nameIn('/api/products')).toBeNull()
  },
)

describe('the hold-back of changes', () => {
  const client = clientForEachTest()
  beforeEach(async () => {
    await client.create('/api/products', productBody())
  })
  /** Also the seconds for which the page says that changes are held back. */
  const readHeldBack = async (query: Record<string, string | number>) => {
    const { ids, response } = await readPage(client, '/api/products', query)
    return { count: ids.length, heldBack: response.headers.get('changes-held-back') }
  }
  const since = { changed_since: 0 }

  it('lasts until the second of a change is over, in a service of one process', async () => {
    expect(await readHeldBack(since)).toEqual({ count: 0, heldBack: '0' })
    second += 1
    expect(await readHeldBack(since)).toEqual({ count: 1, heldBack: '0' })
  })

  it('lasts 330 seconds longer in a deployed service', async () => {
    delete process.env.HOLD_BACK_SECONDS
    second += 330.5
    expect(await readHeldBack(since)).toEqual({ count: 0, heldBack: '330' })
    second += 0.5
    expect(await readHeldBack(since)).toEqual({ count: 1, heldBack: '330' })
  })

  it('is stated on each page of a change feed, and in no other list', async () => {
    delete process.env.HOLD_BACK_SECONDS
    second += 331
    await client.create('/api/products', productBody())
    second += 331
    const { next: cursor } = await readPage(client, '/api/products', { ...since, limit: 1 })
    expect(await readHeldBack({ cursor: cursor! })).toEqual({ count: 1, heldBack: '330' })
    expect(await readHeldBack({})).toEqual({ count: 2, heldBack: null })
  })
})

it('delays a change feed of a service of one process until the changes that are being written are finished', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  second += 1
  const writeSent = Promise.withResolvers<void>()
  const writeArrives = Promise.withResolvers<void>()
  proxy.inject(client.credentials.app_id, {
    label: 'PutItem',
    calls: 1,
    fault: async (call) => {
      writeSent.resolve()
      await writeArrives.promise
      await passThrough(call)
    },
  })
  const update = client.put('/api/customers/me', { id: 'me', name: 'Late' })
  await writeSent.promise
  second += 1
  const feed = readFeed(client, '/api/customers')
  await pause(50)
  writeArrives.resolve()
  expect((await feed).map(({ name }) => name)).toEqual(['Late'])
  expect((await update).status).toBe(200)
})

it('continues a change feed after an entity that changes between the read of the index and the read of its hidden fields', async () => {
  const client = await newClient()
  const { id: product_id } = await client.create('/api/products', productBody())
  const price = (id: string, title = id) => priceBody({ id, product_id, title })
  const rename = () => client.post('/api/prices?on_conflict=update', price('a', 'Renamed'))
  const create = (id: string) => () => client.create('/api/prices', price(id))
  await sendOneEachSecond(create('a'), create('b'), create('c'))
  let isRenamed = false
  interceptCalls(async ({ command }, proceed) => {
    const output = await proceed()
    if (command === 'QueryCommand' && !isRenamed) {
      isRenamed = true
      expect((await rename()).status).toBe(200)
      second += 1
    }
    return output
  })
  const items = await readFeed(client, '/api/prices', { include: 'product,external_id', limit: 1 })
  expect(clientIdsIn(items)).toEqual(['a', 'b', 'c'])
})
