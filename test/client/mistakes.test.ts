import { type Client, createClient } from '../../client/index.ts'

const access = { baseUrl: 'http://billing.example.org', appId: 'app_1', apiKey: 'key' }
let sent: (string | null)[]
let customers: Client['customers']
let invoices: Client['invoices']

beforeEach(() => {
  sent = []
  const fetch = async (_: string, { body }: { body: string | null }) => {
    sent.push(body)
    return new Response('{"data": {"customer": {}}, "pagination": {}}')
  }
  const client = createClient({ ...access, fetch })
  customers = client.customers
  invoices = client.invoices
})

const circular: Record<string, unknown> = {}
circular.self = circular

describe("a mistake in the caller's program", () => {
  it.each<[string, (id: never) => Promise<unknown>]>([
    ['retrieve', (id) => customers.retrieve(id)],
    ['update', (id) => customers.update(id, {})],
    ['anonymise', (id) => customers.anonymise(id)],
  ])('refuses a value that cannot be an id before anything is sent: %s', async (_, call) => {
    for (const id of [undefined, null, '', '.', '..', '\ud800', Number.NaN, 1.5, 2 ** 53, true, {}, [1]]) {
      await expect(call(id as never)).rejects.toThrow(TypeError)
    }
    await expect(call('' as never)).rejects.toThrow('customer id must be text or a safe integer (got "")')
    expect(sent).toEqual([])
  })

  it.each([undefined, null, ''])('refuses a filter of %p before anything is sent', async (customer_id) => {
    const filter = { customer_id } as { customer_id: string }
    await expect(invoices.list(filter)).rejects.toThrow(
      new TypeError(`customer_id must be an id (got ${customer_id === '' ? '""' : customer_id})`),
    )
    await expect(invoices.all(filter).next()).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  it.each<[unknown, string]>([
    [undefined, 'body must be an object (got undefined)'],
    [null, 'body must be an object (got null)'],
    ['text', 'body must be an object (got "text")'],
    [[{ id: 1 }], 'body must be an object (got an array)'],
    [new Map(), 'body must be an object (got [object Map])'],
    [{ metadata: { seats: 3n } }, 'metadata.seats must be a JSON value (got 3n)'],
    [{ metadata: { list: [1, Number.NaN] } }, 'metadata.list.1 must be a JSON value (got NaN)'],
    [{ metadata: { list: [undefined] } }, 'metadata.list.0 must be a JSON value (got undefined)'],
    [{ created: new Date('never') }, 'created must be a JSON value (got Invalid Date)'],
    [{ name: Symbol('name') }, 'name must be a JSON value (got Symbol(name))'],
    [{ name: () => 'Ann' }, 'name must be a JSON value'],
    [{ metadata: new Map([['seats', 3]]) }, 'metadata must be a JSON value (got [object Map])'],
    [{ metadata: Promise.resolve('pro') }, 'metadata must be a JSON value (got [object Promise])'],
    [{ metadata: { reason: new Error('late') } }, 'metadata.reason must be a JSON value (got Error: late)'],
    [{ metadata: new URLSearchParams('a=1') }, 'metadata must be a JSON value (got a=1)'],
    [{ metadata: [new ArrayBuffer(8)] }, 'metadata.0 must be a JSON value (got [object ArrayBuffer])'],
    [{ metadata: [1].values() }, 'metadata must be a JSON value (got [object Array Iterator])'],
    [{ metadata: new Headers({ a: '1' }) }, 'metadata must be a JSON value (got [object Headers])'],
    [{ metadata: new FormData() }, 'metadata must be a JSON value (got [object FormData])'],
    [{ metadata: { rate: Object(Number.NaN) } }, 'metadata.rate must be a JSON value (got NaN)'],
    [{ metadata: circular }, 'circular structure'],
  ])('refuses a body that JSON cannot express before anything is sent: %p', async (body, message) => {
    for (const call of [() => customers.create(body as never), () => customers.update(1, body as never)])
      await expect(call()).rejects.toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
      )
    expect(sent).toEqual([])
  })

  it('sends a body that JSON can express as it is', async () => {
    const metadata = { a: [null, false, ''] }
    await customers.create({ id: 1, name: undefined, created: new Date(0), metadata })
    await customers.update(2, { phone: null })
    class Plan {
      url = new URL('http://a.example')
      boxed = [Object(1), Object('b'), Object(true)]
    }
    await customers.update(3, { metadata: Object.assign(Object.create(null), { plan: new Plan() }) })
    expect(sent).toEqual([
      '{"id":1,"created":"1970-01-01T00:00:00.000Z","metadata":{"a":[null,false,""]}}',
      '{"id":2,"phone":null}',
      '{"id":3,"metadata":{"plan":{"url":"http://a.example/","boxed":[1,"b",true]}}}',
    ])
  })

  it.each<[string, unknown, string | RegExp]>([
    ['baseUrl', '', 'baseUrl must be an http(s) URL (got "")'],
    ['baseUrl', undefined, 'baseUrl must be an http(s) URL (got undefined)'],
    ['baseUrl', 'localhost:3000', 'baseUrl must be an http(s) URL (got "localhost:3000")'],
    ['baseUrl', 'ftp://billing.example.org', 'baseUrl must be an http(s) URL'],
    ['baseUrl', 'https://', 'baseUrl must be an http(s) URL'],
    ['baseUrl', 'https://billing.example.org/?stage=dev', 'baseUrl must be an http(s) URL'],
    ['appId', '', 'appId must be visible ASCII text (got "")'],
    ['apiKey', undefined, 'apiKey must be visible ASCII text (got undefined)'],
    // Of a key, only the wrong character is shown.
    ['apiKey', 'bdk_Schlüssel', /^apiKey must be visible ASCII text \(got "ü"\)$/],
    ['apiKey', 'Bearer bdk_1', /^apiKey must be visible ASCII text \(got " "\)$/],
    ['apiKey', 'bdk_1\n', /^apiKey must be visible ASCII text \(got "\\n"\)$/],
    ['timout', '500', 'timout is not an option; known are: baseUrl appId'],
    ['constructor', undefined, 'constructor is not an option'],
  ])('throws TypeError when a client is created with the %s %p', (name, value, message) => {
    const make = () => createClient({ ...access, [name]: value })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  it('refuses an invalid header before anything is sent', async () => {
    const failed = customers.list({ headers: { 'x-note': 'two\nlines' } })
    await expect(failed).rejects.toMatchObject({ name: 'TypeError' })
    expect(sent).toEqual([])
  })
})
