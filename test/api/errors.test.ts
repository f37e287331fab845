import { catalogue } from '../../shared/catalogue.ts'
import { customerBody, productBody } from '../support/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { expectInvalid } from '../support/violations.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'known' }))
})

const { body } = catalogue.find(({ id }) => id === 'customers.create')!
const known = `known are: ${Object.keys(body!.properties).join(', ')}.`

describe('unknown fields and parameters are refused', () => {
  it.each([
    ['a misspelt field', { nmae: 'x' }, 'nmae', 'did you mean name?'],
    ['a field in other case', { Email: 'x' }, 'Email', 'did you mean email?'],
    ['a field that is like nothing', { 'x-ray-y': 1 }, '["x-ray-y"]', known],
    ['a word of a longer name', { meta: 1 }, 'meta', known],
    ['two letters that are like two others', { it: 1 }, 'it', known],
    ['an unknown field with a number that no field takes', { nmae: 1e300 }, 'nmae', 'did you mean name?'],
    ['a method of every object', { toString: 1 }, 'toString', 'known are'],
    ['a field with a null', { unknown_thing: null }, 'unknown_thing', 'is not a field here'],
    ['the empty name', { '': 1 }, '[""]', 'is not a field here'],
  ])('%s', async (_, fields, path, words) => {
    for (const response of [
      await client.post('/api/customers', customerBody(fields)),
      await client.put('/api/customers/known', { id: 'known', ...fields }),
    ]) {
      expectInvalid(response, path)
      expect(response.details[0]).toContain(words)
    }
  })

  it.each([
    ['/api/customers?lmit=3', 'lmit', 'did you mean limit?'],
    ['/api/customers?Cursor=x', 'Cursor', 'did you mean cursor?'],
    ['/api/customers?include=prices', 'include', 'must name only external_id'],
    ['/api/customers?=2', 'query', 'is not a query parameter'],
    ['/api/customers/known?limit=3', 'limit', 'known are: include'],
    ['/api/invoices/known?limit=3', 'limit', 'known are: include'],
    ['/api/products?include=prices,toString', 'include', '"toString"'],
    ['/api/products?include=prices,', 'include', '""'],
    ['/api/products?include=,', 'include', '""'],
    ['/api/invoices?include=line_items;customer', 'include', 'line_items, subscription, customer'],
    ['/api/customers?toString=1', 'toString', 'known are'],
  ])('the query of GET %s', async (path, name, words) => {
    const response = await client.get(path)
    expectInvalid(response, name)
    expect(response.details[0]).toContain(words)
  })

  it('a long parameter, whose name is truncated between characters', async () => {
    const { details } = await client.get(`/api/customers?x${encodeURIComponent('😀'.repeat(90))}=1`)
    expect(details).toEqual([expect.stringMatching(/^x(😀){49}… is not a query parameter/u)])
  })

  it.each(['POST /api/customers?dry_run=1', 'PUT /api/customers/known?id=2'])(
    'the query of %s',
    async (line) => {
      const [method = '', path = ''] = line.split(' ')
      const response = await client.call(method, path, { body: customerBody({ id: 'known 2' }) })
      expect([response.status, response.details.length]).toEqual([422, 1])
      expect((await client.get('/api/customers/known%202')).status).toBe(404)
    },
  )

  it('the misspelt query of an erasure, which erases nothing', async () => {
    expectInvalid(await client.call('PUT', '/api/customers/known?keep=name'), 'keep')
    expect((await client.get('/api/customers/known')).json.data.customer.name).toBe('Ann Example')
  })
})

describe('limit and include', () => {
  it.each([' 5', '5 ', ...'0 101 -1 1.0 1e1 +5 0x10 05 ten ٣ 1,2 undefined 99999'.split(' ')])(
    'refuses limit=%s',
    async (limit) => {
      expectInvalid(await client.get(`/api/products?limit=${encodeURIComponent(limit)}`), 'limit')
    },
  )

  it.each(['limit=1', 'limit=100', 'limit=', 'limit=null'])('accepts %s', async (query) => {
    expect((await client.get(`/api/products?${query}`)).status).toBe(200)
  })

  it.each([
    ['limit', ['limit=5&limit=5', 'limit=5&limit=null', 'limit=&limit=5', 'limit=&limit=']],
    ['cursor', ['cursor=a&cursor=b', 'cursor=null&cursor=null']],
    ['include', ['include=prices&include=lines']],
  ])('refuses %s given twice', async (name, queries) => {
    for (const query of queries) expectInvalid(await client.get(`/api/products?${query}`), name)
  })
})

describe('all errors are reported at once', () => {
  it('in body and query', async () => {
    const body = { name: 1, email: 2, created: 'x', metadata: [], phone: {}, nmae: 'x' }
    expectInvalid(
      await client.post('/api/customers?limit=1', body),
      ...['limit', 'id', 'name', 'email', 'created', 'metadata', 'phone', 'nmae'],
    )
  })

  it('in path, query and body', async () => {
    const response = await client.put(`/api/customers/${'x'.repeat(256)}?a=1`, { name: 1 })
    expectInvalid(response, 'id', 'a', 'id', 'name')
  })

  it('in a query', async () => {
    expectInvalid(
      await client.get('/api/products?limit=0&cursor=x&include=a,b&c=1'),
      ...['limit', 'cursor', 'include', 'include', 'c'],
    )
  })

  it('one for each value, however many rules it breaks', async () => {
    const response = await client.post('/api/customers', '', {
      raw: '{"id":"1","metadata":{"__proto__":1},"name":9007199254740993,"name":9007199254740993,"email":1,"email":2}',
    })
    expectInvalid(response, 'metadata.__proto__', 'name', 'email')
  })

  it.each([
    ['keys', { ...Array(51).fill(1) }, 'an object of at most 50 keys, or null (got 51 keys)'],
    ['bytes', { a: 'x'.repeat(16_384) }, 'at most 16384 bytes of JSON'],
    ['bytes in a list', { a: Array(20_000).fill(1) }, 'at most 16384 bytes of JSON'],
    ['levels', { a: [[[[[[[[1]]]]]]]] }, 'nested at most 8 levels deep'],
  ])('for metadata with too many %s', async (_, metadata, problem) => {
    const { details } = await client.post('/api/customers', { id: 'x', metadata })
    expect(details).toEqual([`metadata must be ${problem}.`])
  })

  it('up to 50', async () => {
    const fields = Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`field${n}`, n]))
    const { status, details } = await client.post('/api/products', productBody(fields))
    expect([status, details.length]).toEqual([422, 50])
    const query = Array.from({ length: 90 }, (_, n) => `q${n}=1`).join('&')
    expect((await client.get(`/api/products?${query}`)).details).toHaveLength(50)
  })

  it('with details of bounded length, however long the values are', async () => {
    const long = 'x'.repeat(50_000)
    const raw = `{"id":"${long}","name":{"a":"${long}"},"${long}":1,"${'1'.repeat(9_999)}":1,"a":${'9'.repeat(9_999)}}`
    const { details } = await client.post('/api/products', '', { raw })
    expect(details).toHaveLength(5)
    for (const detail of details) expect(detail.length).toBeLessThan(300)
  })
})
