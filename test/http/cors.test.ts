import { catalogue } from '../../shared/catalogue.ts'
import { documentedOperation, resolvedResponse } from '../support/requests/openapi-document.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

afterEach(() => {
  delete process.env.CORS_ORIGIN
})

const origin = 'https://app.example.org'

it.each([
  ['a success', 200, '/api/products'],
  ['an error', 422, '/api/products?limit=0'],
])('CORS headers allow pages of the stage’s origin to read %s', async (_, expectedStatus, path) => {
  process.env.CORS_ORIGIN = origin
  const { status, headers } = await (await newClient()).get(path)
  expect(status).toBe(expectedStatus)
  expect(headers.get('access-control-allow-origin')).toBe(origin)
})

it('CORS headers allow pages of the stage’s origin to read the headers that the document describes', async () => {
  process.env.CORS_ORIGIN = origin
  const { headers } = await (await newClient()).get('/api/products')
  const described = catalogue.flatMap(({ method, path }) =>
    Object.values(documentedOperation(method, path).responses).flatMap((response) =>
      Object.keys(resolvedResponse(response).headers),
    ),
  )
  const exposed = headers.get('access-control-expose-headers')!.split(', ')
  const readable = new Set(described)
  // It is the same in every response. `allow` is a header of the gateway's own 405.
  readable.delete('www-authenticate')
  readable.add('allow')
  expect(new Set(exposed)).toEqual(readable)
})

it('CORS headers allow pages of the stage’s origin to send all methods of a path, after one preflight an hour', async () => {
  process.env.CORS_ORIGIN = origin
  const { baseUrl } = await newClient()
  const { status, headers } = await fetch(`${baseUrl}/api/products`, { method: 'OPTIONS' })
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST')
  // The headers that the client sends from a browser.
  expect(headers.get('access-control-allow-headers')?.split(', ').toSorted()).toEqual([
    'accept',
    'authorization',
    'content-type',
    'x-app-id',
    'x-request-id',
  ])
  expect(headers.get('access-control-max-age')).toBe('3600')
})

it('CORS headers are absent if the stage has no origin', async () => {
  const client = await newClient()
  const preflight = await fetch(`${client.baseUrl}/api/products`, { method: 'OPTIONS' })
  expect(preflight.status).toBe(405)
  for (const { headers } of [preflight, await client.get('/api/products')])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})
