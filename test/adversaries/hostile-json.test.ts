import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { internals } from '../support/internals.ts'
import { rawCall } from '../support/raw-http.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { hostile } from './hostile-bodies.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  await client.create('/api/customers', customerBody({ id: 'changed' }))
})

type Fields = Record<string, unknown>
/** The writing operations with valid bodies. All contain "name", so that a hostile "name" is a duplicate. */
const operations: Record<string, () => [method: string, path: string, body: Fields]> = {
  'products.create': () => ['POST', '/api/products', productBody()],
  'prices.create': () => ['POST', '/api/prices', priceBody({ product_id: 'product' })],
  'customers.create': () => ['POST', '/api/customers', { id: crypto.randomUUID() }],
  'customers.update': () => ['PUT', '/api/customers/changed', { id: 'changed' }],
  'discounts.create': () => ['POST', '/api/discounts', discountBody()],
  'invoices.create': () => ['POST', '/api/invoices', invoiceBody({ customer_id: 'customer' })],
}

const prototypes = [Object, Array, String, Number, Function, Map, Promise].map(
  (each) => each.prototype as object,
)
const state = () => JSON.stringify(prototypes.map((each) => Object.getOwnPropertyNames(each)))
const untouched = state()

const headersOf = () => [
  ...['authorization', `Bearer ${client.credentials.api_key}`, 'x-app-id', client.credentials.app_id],
  ...['content-type', 'application/json'],
]

/** Returns the part of an answer that shows what was sent, as JSON text. */
const kept = (sent: string, shown: Fields): [unknown, unknown] => {
  const body = JSON.parse(sent) as Fields
  const names = ['name', 'email', 'title', 'metadata', 'price', 'total', 'amount_off'].filter(
    (name) => Object.hasOwn(body, name) && Object.hasOwn(shown, name),
  )
  return [names.map((name) => JSON.stringify(body[name])), names.map((name) => JSON.stringify(shown[name]))]
}

// The short form takes the two most different operations, the long form all six.
const tried = ['customers.update', 'invoices.create', ...Object.keys(operations)]

describe.each([...new Set(tried)].slice(0, runs(2, 6)))('%s, sent', (operation) => {
  it.each(Object.keys(hostile))(
    '%s, is refused or stored exactly, and the next request is served',
    async (name) => {
      const [method, path, right] = operations[operation]!()
      const body = hostile[name]!(JSON.stringify(right))
      const answer = await rawCall(client.baseUrl, { method, path, headers: headersOf(), body })
      if (answer.status === 200) {
        const [sent, shown] = kept(String(body), Object.values(JSON.parse(answer.text).data)[0] as Fields)
        expect(shown).toEqual(sent)
      } else {
        expect([400, 409, 413, 422]).toContain(answer.status)
        // The gateway itself refuses more than 10 MB, as plain text.
        if (name !== 'more than 10 MB') expect(JSON.parse(answer.text)).toEqual({ errors: expect.any(Array) })
        expect(answer.text.length).toBeLessThan(50_000)
        expect(answer.text).not.toMatch(internals)
      }
      expect(state()).toBe(untouched)
      expect((await client.get('/api/products/product')).status).toBe(200)
    },
  )
})

it('there are at least 60 hostile bodies', () => {
  expect(Object.keys(hostile).length).toBeGreaterThanOrEqual(60)
})

describe('a body that arrives slowly', () => {
  const send = (parts: readonly string[], length: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(client.baseUrl)
      const headers = [
        ...headersOf(),
        'content-length',
        String(length),
        'connection',
        'close',
        'host',
        hostname,
      ]
      const options = { hostname, port, path: '/api/products', method: 'POST', headers: headers as never }
      const sent = request(options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject)
      const write = async () => {
        for (const part of parts) {
          sent.write(part)
          await pause(5)
        }
        if (parts.join('').length < length) sent.destroy()
        else sent.end()
      }
      write().catch(reject)
    })

  it('is read to the end', async () => {
    const text = JSON.stringify(productBody({ id: 'slow' }))
    expect(await send([...text], text.length)).toBe(200)
    expect((await client.get('/api/products/slow')).status).toBe(200)
  })

  it('records nothing when it never ends', async () => {
    const text = JSON.stringify(productBody({ id: 'broken off' }))
    await expect(send([text], text.length + 10)).rejects.toThrow()
    expect((await client.get('/api/products/broken%20off')).status).toBe(404)
    expect((await client.get('/api/products/slow')).status).toBe(200)
  })
})
