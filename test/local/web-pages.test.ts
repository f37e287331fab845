import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { currentService } from '../../shared/store/service.ts'
import { localClient } from '../../tools/local/database.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { startDouble, type TestDouble } from '../../tools/testing/double.ts'
import { rawCall } from '../support/requests/raw-http.ts'

/** Attacks of a web page that a developer visits on the servers on this machine. */

beforeAll(() => {
  currentService().log = () => undefined
})

/** `path` is the request target, by default the path of the URL. */
const send = async (
  url: string,
  { headers = {}, ...request }: { method?: string; path?: string; headers?: object; body?: string } = {},
) => {
  const response = await rawCall(url, {
    path: new URL(url).pathname,
    headers: Object.entries(headers).flat(),
    ...request,
  })
  return { status: response.status, headers: response.headers, body: response.text }
}

const ORIGIN = 'https://page.example'
/**
 * Hosts with which a page can reach this machine after DNS rebinding, that is, after its own name resolves to
 * this machine.
 */
const foreignHosts = [
  'page.example',
  'page.example:3000',
  'localhost.page.example',
  '127.0.0.1.page.example',
  'user@localhost',
  '0.0.0.0',
]
const ownHosts = ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.8.9.10:80', '[::1]:3000']

let service: LocalService
beforeAll(async () => {
  service = await startService(localSettings({ PORT: '0', DYNAMODB_PORT: '0' }, ['--memory']))
})
afterAll(() => service.stop())

describe('the local service', () => {
  it.each(foreignHosts)('refuses the Host header "%s" on every path', async (host) => {
    for (const path of ['/docs', '/console', '/api/products', '/nowhere', '/']) {
      const { status, body } = await send(service.baseUrl + path, { headers: { host } })
      const [{ title, detail }] = JSON.parse(body).errors
      expect({ status, title }).toEqual({ status: 403, title: 'Forbidden' })
      expect(detail).toContain(JSON.stringify(host))
      expect(detail).toMatch(/ start it with HOST=0\.0\.0\.0\.$/)
    }
  })

  it('checks the host of an absolute target in place of the header', async () => {
    const sendTo = (name: string, host: string) =>
      send(service.baseUrl, { path: `http://${name}/docs`, headers: { host } })
    expect((await sendTo('page.example', 'localhost')).status).toBe(403)
    expect((await sendTo('localhost', 'page.example')).status).toBe(200)
  })

  it.each(ownHosts)(
    'serves its page with the demo key at %s, and no other origin can read it',
    async (host) => {
      const { status, headers, body } = await send(`${service.baseUrl}/docs`, {
        headers: { host, origin: ORIGIN },
      })
      expect(status).toBe(200)
      expect(body.includes(service.demo.api_key)).toBe(true)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    },
  )
})

describe('the engine at DYNAMODB_PORT', () => {
  const credential = 'Credential=any/20260101/local/dynamodb/aws4_request'
  const signedHeaders = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    'x-amz-date': '20260101T000000Z',
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=any`,
  }
  const listTables = (headers: object) =>
    send(service.engineUrl!, { method: 'POST', headers: { ...signedHeaders, ...headers }, body: '{}' })

  it('serves programs on its engine by any loopback name', async () => {
    const client = localClient(service.engineUrl!)
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['billing'])
    client.destroy()
    for (const host of ownHosts) expect((await listTables({ host })).body).toBe('{"TableNames":["billing"]}')
  })

  it.each([
    ...foreignHosts.map((host) => ({ host })),
    ...[ORIGIN, 'null', 'http://localhost:5173'].map((origin) => ({ origin })),
  ])('refuses a web page on its engine, with the headers %j', async (headers) => {
    const { status, headers: responseHeaders, body } = await listTables(headers)
    expect(status).toBe(403)
    expect(JSON.parse(body).errors[0].title).toBe('Forbidden')
    expect(responseHeaders).not.toHaveProperty('access-control-allow-origin')
    const preflight = { 'access-control-request-method': 'POST', ...headers }
    expect((await send(service.engineUrl!, { method: 'OPTIONS', headers: preflight })).status).toBe(403)
  })

  it.each(['*', '//localhost/', 'http://localhost/', 'http://localhost'])(
    'responds on its engine to the request target "%s", and to later requests',
    async (path) => {
      expect((await send(service.engineUrl!, { method: 'OPTIONS', path })).status).toBeGreaterThanOrEqual(200)
      expect((await listTables({})).body).toBe('{"TableNames":["billing"]}')
    },
  )
})

describe('the test double', () => {
  let double: TestDouble
  beforeAll(async () => {
    double = await startDouble({
      host: '127.0.0.1',
      port: 0,
      seed: { customers: [{ id: 1, name: 'Ann' }] },
      log: () => undefined,
    })
  })
  afterAll(() => double.stop())

  /** A successful reset would delete them. */
  const customerNames = async () => {
    const { base_url, app_id, api_key } = double.access
    const headers = { authorization: `Bearer ${api_key}`, 'x-app-id': app_id }
    const { body } = await send(`${base_url}/api/customers`, { headers })
    return JSON.parse(body).data.customers.map(({ name }: { name: string }) => name)
  }

  it.each<[string, number, object]>([
    ['a page of another origin', 403, { origin: ORIGIN, 'content-type': 'application/json' }],
    ['a page without an origin of its own', 403, { origin: 'null' }],
    ['a form, which a browser sends without a preflight', 415, { 'content-type': 'text/plain' }],
    ['a form with fields', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ...foreignHosts.map((host): [string, number, object] => [`a page of the host "${host}"`, 403, { host }]),
  ])('refuses the controls to %s', async (_, expected, headers) => {
    const reset = { method: 'POST', headers, body: '{"seed":{}}' }
    expect((await send(`${double.access.control_url}/reset`, reset)).status).toBe(expected)
    const { status, body } = await send(double.access.control_url, { headers })
    expect(status).toEqual(expected)
    expect(body.includes(double.access.api_key)).toBe(false)
    expect(await customerNames()).toEqual(['Ann'])
  })

  it('refuses a body over 10 MiB with 413', async () => {
    const reset = { method: 'POST', body: ' '.repeat(10 * 1024 * 1024 + 1) }
    expect((await send(`${double.access.control_url}/reset`, reset)).status).toBe(413)
  })

  it('opens the controls to programs on other machines if it is open itself, but never to a web page', async () => {
    const open = await startDouble({ host: '0.0.0.0', port: 0, seed: {}, log: () => undefined })
    const get = async (headers: object) => (await send(open.access.control_url, { headers })).status
    expect(await get({ host: 'billing:4010' })).toBe(200)
    expect(await get({ host: 'billing:4010', origin: ORIGIN })).toBe(403)
    await open.stop()
  })
})
