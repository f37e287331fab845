import { type Client, createClient } from '../../client/index.ts'

type Unchecked = (...args: unknown[]) => Promise<unknown>

const access = { baseUrl: 'http://billing.example.org', appId: 'app_1', apiKey: 'key' }
/** The bodies of the requests that the client has sent. */
let sent: (string | null)[]
let customers: Client['customers']
/** The same functions as in a program in JavaScript, where no compiler checks the arguments. */
let uncheckedCustomers: Record<'create' | 'retrieve' | 'update' | 'anonymise', Unchecked>
let invoices: Client['invoices']

beforeEach(() => {
  sent = []
  const fetch = async (_: string, { body }: { body: string | null }) => {
    sent.push(body)
    return new Response('{"data": {"customer": {}}, "pagination": {}}')
  }
  const client = createClient({ ...access, fetch })
  customers = client.customers
  uncheckedCustomers = client.customers as unknown as typeof uncheckedCustomers
  invoices = client.invoices
})

const circular: Record<string, unknown> = {}
circular.self = circular

describe("a mistake in the caller's program", () => {
  const wrongIds = [undefined, null, '', '.', '..', '\ud800', Number.NaN, 1.5, 2 ** 53, true, {}, [1]]

  it.each(wrongIds)('refuses %p as an id before anything is sent', async (id) => {
    await expect(uncheckedCustomers.retrieve(id)).rejects.toThrow(TypeError)
    await expect(uncheckedCustomers.update(id, {})).rejects.toThrow(TypeError)
    await expect(uncheckedCustomers.anonymise(id)).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  it('shows the value that cannot be an id', async () => {
    const message = 'customer id must be text or a safe integer (got "")'
    await expect(customers.retrieve('')).rejects.toThrow(message)
    await expect(customers.update('', {})).rejects.toThrow(message)
    await expect(customers.anonymise('')).rejects.toThrow(message)
  })

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['', '""'],
  ])('refuses a filter of %p before anything is sent', async (customer_id, shown) => {
    const filter = { customer_id } as { customer_id: string }
    const error = new TypeError(`customer_id must be an id (got ${shown})`)
    await expect(invoices.list(filter)).rejects.toThrow(error)
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
    const error = { name: 'TypeError', message: expect.stringContaining(message) }
    await expect(uncheckedCustomers.create(body)).rejects.toMatchObject(error)
    await expect(uncheckedCustomers.update(1, body)).rejects.toMatchObject(error)
    expect(sent).toEqual([])
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
    // The message shows only the wrong character of a key, which is secret.
    ['apiKey', 'bdk_Schlüssel', /^apiKey must be visible ASCII text \(got "ü"\)$/],
    ['apiKey', 'Bearer bdk_1', /^apiKey must be visible ASCII text \(got " "\)$/],
    ['apiKey', 'bdk_1\n', /^apiKey must be visible ASCII text \(got "\\n"\)$/],
    ['timout', '500', 'timout is not an option; use one of: baseUrl appId'],
    ['constructor', undefined, 'constructor is not an option'],
  ])('throws TypeError when a client is created with the %s %p', (name, value, message) => {
    const create = () => createClient({ ...access, [name]: value })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })

  it('refuses an invalid header before anything is sent', async () => {
    const failed = customers.list({ headers: { 'x-note': 'two\nlines' } })
    await expect(failed).rejects.toMatchObject({ name: 'TypeError' })
    expect(sent).toEqual([])
  })
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
