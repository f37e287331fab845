import { readFileSync } from 'node:fs'
import { type Client, type Customer, createClient, resources, VERSION } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { setClock } from '../support/clock.ts'
import { range } from '../support/range.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

/** Returns a client with the credentials of a new application. */
const newTypedClient = async (): Promise<Client> => {
  const { baseUrl, credentials } = await newClient()
  return createClient({ baseUrl, appId: credentials.app_id, apiKey: credentials.api_key })
}

/** The functions of a client by the plural of their resource and their name. */
type ClientFunctions = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>

/** The functions that are built from operations of the API. */
const builtFromOperations = ['all', 'anonymise', 'changes', 'createAll', 'upsert']

/** Returns the ids of the API's operations that a client has. */
const operationsOf = (client: Client): string[] =>
  Object.entries(client as unknown as ClientFunctions).flatMap(([plural, functions]) =>
    Object.keys(functions)
      .filter((name) => !builtFromOperations.includes(name))
      .map((name) => `${plural}.${name}`),
  )

/** Returns a client that sends nothing, and the list of the requests that it would send. */
const recordingClient = () => {
  const requests: string[] = []
  const client = createClient({
    baseUrl: 'http://billing.example.org/base/',
    appId: 'app_1',
    apiKey: 'key',
    fetch: async (url, { method }) => {
      requests.push(`${method} ${url}`)
      return new Response(JSON.stringify({ data: {}, pagination: {} }))
    },
  })
  return { client, requests }
}

describe('the client', () => {
  it('exports the version and the resources as values', () => {
    expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
    expect(resources.customers).toEqual({
      name: 'customer',
      operations: ['list', 'create', 'retrieve', 'update', 'upsert'],
    })
  })

  it('has exactly the operations of the catalogue', () => {
    const { client } = recordingClient()
    expect(operationsOf(client).sort()).toEqual(catalogue.map(({ id }) => id).sort())
  })

  it.each(catalogue)('sends $id to its method and path', async ({ resource, operation, method, path }) => {
    const { client, requests } = recordingClient()
    const call = (client as unknown as ClientFunctions)[resource.plural]![operation]!
    await (path.includes('{id}') ? call('a/b', {}) : call({}))
    expect(requests).toEqual([`${method} http://billing.example.org/base${path.replace('{id}', 'a%2Fb')}`])
  })

  it('encodes every character of a parameter that would end it or change the query', async () => {
    const { client, requests } = recordingClient()
    const characters = 'a&b=c#d+e f%g/h?i'
    const parameters: object = { customer_id: characters, [characters]: 1 }
    await client.invoices.list(parameters)
    const { searchParams, hash } = new URL(requests[0]!.replace('GET ', ''))
    expect(Object.fromEntries(searchParams)).toEqual({ customer_id: characters, [characters]: '1' })
    expect(hash).toBe('')
  })

  it('leaves out the limit, cursor and include of a list that are empty', async () => {
    const { client, requests } = recordingClient()
    await client.invoices.list({ limit: undefined, cursor: null, include: [] })
    expect(requests).toEqual(['GET http://billing.example.org/base/api/invoices'])
  })

  it('sends the options of a create in its query', async () => {
    const { customers } = await newTypedClient()
    const erased = await customers.create({ id: 1 }, { erased: true, retries: 1 })
    expect(erased.email).toBe('anonymous@anonymous.invalid')
    expect(await customers.create({ id: 2, name: 'Ann' }, { erased: false })).toMatchObject({ name: 'Ann' })
  })

  it('creates or updates a customer with one upsert, and reports the outcome', async () => {
    const { customers } = await newTypedClient()
    const ann = { id: 7, name: 'Ann', phone: '1' }
    const { outcome, entity } = await customers.upsert(ann)
    expect(outcome).toBe('created')
    expect(entity.name).toBe('Ann')
    expect(await customers.upsert(ann)).toEqual({ outcome: 'unchanged', entity })
    const renamed = { ...entity, name: 'Bea' }
    const { data, attempts } = await customers.upsert({ id: 7, name: 'Bea' }).withResponse()
    expect(data).toEqual({ outcome: 'updated', entity: renamed })
    expect(attempts).toBe(1)
    expect((await customers.upsert({ id: 7, name: 'Bea', phone: '1' })).outcome).toBe('updated')
    await customers.anonymise(7)
    await expect(customers.upsert(ann)).rejects.toMatchObject({ status: 409 })
  })

  it('passes on fields and values that a newer service adds', async () => {
    const newer = { id: 'price_1', type: 'metered', interval: 'fortnight', quantum: { of: 1 } }
    const fetch = async () => new Response(JSON.stringify({ data: { price: newer } }))
    const client = createClient({ baseUrl: 'http://billing.example.org', appId: 'a', apiKey: 'k', fetch })
    expect(await client.prices.retrieve('price_1')).toEqual(newer)
  })
})

describe('a list', () => {
  const COUNT = 7
  let client: Client
  let newestFirst: Customer[]
  beforeAll(async () => {
    client = await newTypedClient()
    newestFirst = []
    for (const id of range(COUNT)) newestFirst.unshift(await client.customers.create({ id }))
  })

  it('returns a page with its cursors', async () => {
    const first = await client.customers.list({ limit: 3 })
    const cursors = { has_more: true, next_cursor: expect.any(String), previous_cursor: null }
    expect(first).toEqual({ items: newestFirst.slice(0, 3), ...cursors })
    const second = await client.customers.list({ limit: 3, cursor: first.next_cursor })
    expect(second.items).toEqual(newestFirst.slice(3, 6))
    const firstAgain = await client.customers.list({ limit: 3, cursor: second.previous_cursor })
    expect(firstAgain.items).toEqual(first.items)
  })

  it.each([1, 2, 3, 7, 100, undefined])(
    'iterates over a list in both directions with a limit of %s',
    async (limit) => {
      const { all, list } = client.customers
      expect(await Array.fromAsync(all({ limit }))).toEqual(newestFirst)
      const { next_cursor } = await list({ limit: 5 })
      expect(await Array.fromAsync(all({ limit, cursor: next_cursor }))).toEqual(newestFirst.slice(5))
      const { previous_cursor: cursor } = await list({ limit: 2, cursor: next_cursor })
      const nearestFirst = newestFirst.slice(0, 5).reverse()
      expect(await Array.fromAsync(all({ limit, cursor, direction: 'newer' }))).toEqual(nearestFirst)
    },
  )

  it('yields nothing for an empty list, and nothing before the first page', async () => {
    expect(await Array.fromAsync(client.discounts.all())).toEqual([])
    expect(await Array.fromAsync(client.customers.all({ cursor: null, direction: 'newer' }))).toEqual([])
  })

  it('ends at the next item, even within a page, after its signal is aborted', async () => {
    const abort = new AbortController()
    const seen: string[] = []
    const iterate = async () => {
      for await (const { id } of client.customers.all({ signal: abort.signal })) {
        seen.push(id)
        if (seen.length === 2) abort.abort(new Error('enough'))
      }
    }
    await expect(iterate()).rejects.toThrow('enough')
    expect(seen).toHaveLength(2)
  })

  it("filters a list by the caller's id or by the service's", async () => {
    const [newest] = newestFirst
    const invoice = { total: 1, created: '2024-01-01', period_start: '2024-01-01', period_end: '2024-02-01' }
    for (const id of [COUNT - 1, 0])
      await client.invoices.create({ ...invoice, id, currency: 'EUR', customer_id: id, subscription_id: id })
    const page = await client.invoices.list({ customer_id: COUNT - 1 })
    expect(page.items.map(({ customer_id }) => customer_id)).toEqual([newest!.id])
    const all = client.invoices.all({ customer_id: newest!.id, limit: 1 })
    expect(await Array.fromAsync(all)).toEqual(page.items)
  })
})

describe('changes', () => {
  let second = 1_800_000_000
  beforeAll(() => setClock(() => second * 1_000))
  afterAll(() => setClock())

  /** Returns a client of a new application, and a copy of the names of its customers, which `sync` updates. */
  const newCopy = async () => {
    const { baseUrl, credentials } = await newClient()
    const client = createClient({ baseUrl, appId: credentials.app_id, apiKey: credentials.api_key })
    const names = new Map<string, string | null>()
    let bookmark = 0
    /** Updates the copy with the changes since the last call, from at most `maxPages` pages. Returns the number of pages. */
    const sync = async (maxPages = Number.POSITIVE_INFINITY): Promise<number> => {
      let pages = 0
      const changes = client.customers.changes({ since: bookmark, limit: 2, include: ['external_id'] })
      for await (const page of changes) {
        for (const { external_id, name, changed } of page.items) {
          names.set(external_id, name)
          expect(changed).toBeLessThanOrEqual(page.bookmark)
        }
        expect(page.heldBack).toBe(0)
        bookmark = page.bookmark
        pages += 1
        if (pages === maxPages) break
      }
      return pages
    }
    return { client, names, sync }
  }

  it('yields changes page by page, and continues at the bookmark of the last page', async () => {
    const { client, names, sync } = await newCopy()
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await client.customers.create({ id, name: id })
      second += 1
    }
    expect(await sync(1)).toBe(1)
    expect(Object.fromEntries(names)).toEqual({ a: 'a', b: 'b' })
    expect(await sync()).toBe(2)
    await client.customers.update('a', { name: 'A' })
    await client.customers.anonymise('b')
    second += 1
    expect(await sync()).toBe(2)
    expect(Object.fromEntries(names)).toEqual({ a: 'A', b: 'Anonymous customer', c: 'c', d: 'd', e: 'e' })
  })

  it('yields no page if nothing was recorded', async () => {
    const { sync } = await newCopy()
    expect(await sync()).toBe(0)
  })

  it.each([undefined, null, '', Number.NaN])('throws TypeError for %p as since', async (since) => {
    const { client } = await newCopy()
    const changes = client.products.changes({ since: since as number })
    const error = { name: 'TypeError', message: expect.stringMatching(/^since must be/) }
    await expect(changes.next()).rejects.toMatchObject(error)
  })
})
