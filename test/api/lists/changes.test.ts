import { setTimeout as pause } from 'node:timers/promises'
import { setClock } from '../../support/clock.ts'
import { passThrough, serveWithFaults } from '../../support/database/fault-proxy.ts'
import { interceptCalls } from '../../support/database/intercepted-calls.ts'
import { customerBody, invoiceBody, priceBody, productBody } from '../../support/requests/bodies.ts'
import { clientWithExamples } from '../../support/requests/examples.ts'
import { readPage, readPages } from '../../support/requests/list-pages.ts'
import { type Client, newClient } from '../../support/requests/service.ts'

const proxy = serveWithFaults()

/** The seconds since the epoch. */
let second = 1_800_000_000
beforeEach(() => setClock(() => second * 1_000))
afterEach(() => {
  process.env.HOLD_BACK_SECONDS = '0'
})
afterAll(() => setClock())

/** Runs each of `works` in a second of its own. Returns these seconds, which have all passed by then. */
const oneEachSecond = async (...works: (() => Promise<unknown>)[]): Promise<number[]> => {
  const seconds: number[] = []
  for (const work of works) {
    seconds.push(second)
    await work()
    second += 1
  }
  return seconds
}

const changedSince = async (client: Client, path: string, query: object = {}) => {
  const pages = await readPages(client, path, { changed_since: 0, include: 'external_id', ...query })
  return pages.flatMap(({ items }) => items)
}
const changesIn = (items: readonly { external_id: string; changed: number }[]) =>
  items.map(({ external_id, changed }) => [external_id, changed])
const idsIn = (items: readonly { external_id: string }[]) => items.map(({ external_id }) => external_id)

// `npm run check:histories` shows that no reader misses a change.
it.each(['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'])(
  'lists all %s with changed_since=0 as the plain list does, each with the second of its change',
  async (list) => {
    const client = await clientWithExamples()
    const recorded = second
    second += 1
    const [plain, changed] = [
      await readPages(client, `/api/${list}`),
      await readPages(client, `/api/${list}`, { changed_since: 0 }),
    ]
    const entities = plain.flatMap(({ items }) => items)
    expect(entities.length).toBeGreaterThan(0)
    expect(changed.flatMap(({ items }) => items)).toEqual(
      entities.map((entity) => ({ ...entity, changed: recorded })),
    )
  },
)

it('lists what was recorded or changed since a time, each entity once, as it is now, oldest change first', async () => {
  const client = await newClient()
  const create = (id: string) => () => client.create('/api/customers', customerBody({ id }))
  const update = (id: string) => () => client.put(`/api/customers/${id}`, { id, name: `New ${id}` })
  const erase = () => client.put('/api/customers/a')
  const works = [...['a', 'b', 'c', 'd'].map(create), update('b'), erase, update('c'), update('b')]
  const seconds = await oneEachSecond(...works)
  const items = await changedSince(client, '/api/customers')
  expect(changesIn(items)).toEqual([
    ['d', seconds[3]],
    ['a', seconds[5]],
    ['c', seconds[6]],
    ['b', seconds[7]],
  ])
  expect(items.map(({ name }) => name)).toEqual(['Ann Example', 'Anonymous customer', 'New c', 'New b'])
  const later = await changedSince(client, '/api/customers', { changed_since: seconds[6] })
  expect(changesIn(later)).toEqual(changesIn(items).slice(2))
})

it('combines changed_since with a filter of entities that never change', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'one' }))
  await client.create('/api/customers', customerBody({ id: 'other' }))
  const seconds = await oneEachSecond(
    ...['one', 'other', 'one'].map(
      (customer_id, index) => () =>
        client.create('/api/invoices', invoiceBody({ id: index, customer_id, subscription_id: customer_id })),
    ),
  )
  const query = { customer_id: 'one', limit: 1 }
  expect(changesIn(await changedSince(client, '/api/invoices', query))).toEqual([
    ['0', seconds[0]],
    ['2', seconds[2]],
  ])
  const since = { ...query, changed_since: seconds[1] }
  expect(changesIn(await changedSince(client, '/api/invoices', since))).toEqual([['2', seconds[2]]])
})

it.each<[string, (at: number) => unknown]>([
  ['seconds', (at) => at],
  ['a date-time', (at) => new Date(at * 1_000).toISOString()],
  ['a time in UTC', (at) => new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ')],
  ['a day', (at) => new Date(at * 1_000).toISOString().slice(0, 10)],
  ['a day before the epoch', () => '1969-12-31'],
])('accepts %s as changed_since, and includes that second', async (_, spelled) => {
  second = Math.ceil(second / 86_400) * 86_400
  const client = await newClient()
  await oneEachSecond(() => client.create('/api/products', productBody({ id: 'x' })))
  const since = String(spelled(second - 1))
  expect(await changedSince(client, '/api/products', { changed_since: since })).toHaveLength(1)
  if (since.length > 10)
    expect(await changedSince(client, '/api/products', { changed_since: second })).toEqual([])
})

it.each(['', 'null', 'None', '-1', '1.5', '1e9', '2026-02-30', '2026-01-01T00:00:00 01:00', 1.8e12])(
  'refuses %j as changed_since',
  async (value) => {
    const { status, details } = await (await newClient()).get(`/api/products?changed_since=${value}`)
    expect({ status, details }).toEqual({
      status: 422,
      details: [expect.stringMatching(/^changed_since must be seconds since/)],
    })
  },
)

it('refuses changed_since with a filter of entities that change', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  const { details } = await client.get('/api/subscriptions?changed_since=0&customer_id=me')
  expect(details).toEqual([expect.stringContaining('must not be combined with customer_id')])
})

it('returns an empty list for changed_since in the future', async () => {
  const client = await newClient()
  await oneEachSecond(() => client.create('/api/products', productBody()))
  const page = await readPage(client, '/api/products', { changed_since: '3000-01-01' })
  expect(page).toMatchObject({ ids: [], next: null, previous: null })
})

const firstPage = async () => {
  const client = await newClient()
  await oneEachSecond(
    ...['a', 'b', 'c'].map((id) => () => client.create('/api/customers', customerBody({ id }))),
  )
  const query = { changed_since: second - 3, include: 'external_id', limit: 1 }
  const page = await readPage(client, '/api/customers', query)
  return { client, query, cursor: page.next! }
}

it('continues a change feed by its cursor alone, or with the same parameters', async () => {
  const { client, query, cursor } = await firstPage()
  const alone = await readPage(client, '/api/customers', { cursor, limit: 1 })
  expect(changesIn(alone.items)).toEqual([['b', second - 2]])
  expect((await readPage(client, '/api/customers', { ...query, cursor })).response.json).toEqual(
    alone.response.json,
  )
  const day = new Date(query.changed_since * 1_000).toISOString()
  const again = { ...query, changed_since: day, include: 'external_id, external_id', cursor, limit: 100 }
  expect(idsIn((await readPage(client, '/api/customers', again)).items)).toEqual(['b', 'c'])
})

const both = { changed_since: 0, include: 'customer,external_id' }
it.each<[string, object, Record<string, string>, string]>([
  ['another start', { changed_since: 0 }, { changed_since: '5' }, 'changed_since %: 0.'],
  ['a start, if the first page had none', {}, { changed_since: '0' }, 'changed_since %: none.'],
  ['other includes', { changed_since: 0 }, { include: 'customer' }, 'include %: none.'],
  ['a part of its includes', both, { include: 'customer' }, `include %: ${both.include}.`],
  ['more includes', both, { include: `${both.include},discounts` }, `include %: ${both.include}.`],
  ['its includes in another order', both, { include: 'external_id,customer' }, ''],
])(
  'takes the cursor of a change feed only with the same parameters: %s',
  async (_, first, beside, detail) => {
    const client = await newClient()
    await client.create('/api/customers', customerBody({ id: 'me' }))
    const create = () => client.create('/api/invoices', invoiceBody({ customer_id: 'me' }))
    await oneEachSecond(create, create)
    const { next: cursor } = await readPage(client, '/api/invoices', { ...first, limit: 1 })
    const query = new URLSearchParams({ ...beside, cursor: cursor! })
    const { status, details } = await client.get(`/api/invoices?${query}`)
    const must = 'must be absent with this cursor, or the same as for its first page'
    expect([status, details]).toEqual(detail ? [422, [detail.replace('%', must)]] : [200, []])
  },
)

it('ends the reading of a change feed despite concurrent changes, which the next reading contains', async () => {
  const { client, cursor } = await firstPage()
  const update = (id: string) => () => client.put(`/api/customers/${id}`, { id, name: 'New' })
  const seconds = await oneEachSecond(update('a'), update('b'))
  const rest = await readPage(client, '/api/customers', { cursor, limit: 1 })
  expect(idsIn(rest.items)).toEqual(['c'])
  expect(rest.next).toBeNull()
  expect(
    changesIn(await changedSince(client, '/api/customers', { changed_since: rest.items[0].changed })),
  ).toEqual([
    ['c', rest.items[0].changed],
    ['a', seconds[0]],
    ['b', seconds[1]],
  ])
})

it('pages a change feed back, to an empty page if all of its entities have changed', async () => {
  const { client, cursor } = await firstPage()
  const middle = await readPage(client, '/api/customers', { cursor, limit: 1 })
  const back = await readPage(client, '/api/customers', { cursor: middle.previous, limit: 1 })
  expect(idsIn(back.items)).toEqual(['a'])
  expect(back.next === null).toBe(false)
  expect(back.previous).toBe(null)
  await client.put('/api/customers/a')
  const empty = await readPage(client, '/api/customers', { cursor: middle.previous, limit: 1 })
  expect(empty.ids).toEqual([])
  expect(empty.next).toBe(null)
  expect(empty.previous).toBe(null)
})

it('names the application in the pages of changes, percent-encoded, and in no other list', async () => {
  const client = await newClient('Müller & Söhne – 東京')
  const nameIn = async (path: string) => (await client.get(path)).headers.get('application-name')
  const name = await nameIn('/api/products?changed_since=0')
  expect(decodeURIComponent(name!)).toBe('Müller & Söhne – 東京')
  expect(await nameIn('/api/products')).toBeNull()
})

it('holds a change back until its second is over, and for the hold-back after that, which each page states', async () => {
  const client = await newClient()
  const read = async (query: Record<string, string | number>) => {
    const { ids, response } = await readPage(client, '/api/products', query)
    return [ids.length, response.headers.get('changes-held-back')]
  }
  const since = { changed_since: 0 }
  await client.create('/api/products', productBody())
  expect(await read(since)).toEqual([0, '0'])
  second += 1
  expect(await read(since)).toEqual([1, '0'])
  delete process.env.HOLD_BACK_SECONDS
  second += 329.5
  expect(await read(since)).toEqual([0, '330'])
  second += 0.5
  await client.create('/api/products', productBody())
  expect(await read(since)).toEqual([1, '330'])
  second += 331
  const { next: cursor } = await readPage(client, '/api/products', { ...since, limit: 1 })
  expect(await read({ cursor: cursor! })).toEqual([1, '330'])
  expect(await read({})).toEqual([2, null])
})

it('waits with a change feed for a change that a service of one process is still writing', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  second += 1
  const sent = Promise.withResolvers<void>()
  const arrives = Promise.withResolvers<void>()
  proxy.inject(client.credentials.app_id, {
    label: 'PutItem',
    calls: 1,
    fault: async (call) => {
      sent.resolve()
      await arrives.promise
      await passThrough(call)
    },
  })
  const update = client.put('/api/customers/me', { id: 'me', name: 'Late' })
  await sent.promise
  second += 1
  const list = changedSince(client, '/api/customers')
  await pause(50)
  arrives.resolve()
  expect((await list).map(({ name }) => name)).toEqual(['Late'])
  expect((await update).status).toBe(200)
})

it('continues after the entry that the index had, although the entity has changed when its hidden fields are read', async () => {
  const client = await newClient()
  const product_id = (await client.create('/api/products', productBody())).id
  const price = (id: string, title = id) => priceBody({ id, product_id, title })
  const rename = () => client.call('POST', '/api/prices?on_conflict=update', { body: price('a', 'Renamed') })
  await oneEachSecond(...['a', 'b', 'c'].map((id) => () => client.create('/api/prices', price(id))))
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
  const items = await changedSince(client, '/api/prices', { include: 'product,external_id', limit: 1 })
  expect(idsIn(items)).toEqual(['a', 'b', 'c'])
})
