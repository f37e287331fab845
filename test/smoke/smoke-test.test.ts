import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { ClientOptions } from '../../client/options.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { readAccess } from '../../tools/cli/access.ts'
import { formatResults, runSmokeTest } from '../../tools/smoke/smoke-test.ts'
import { runToEnd } from '../support/processes/local-process.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let access: ClientOptions
beforeAll(async () => {
  const { baseUrl, credentials } = await newClient()
  access = { baseUrl, appId: credentials.app_id, apiKey: credentials.api_key }
})

describe('the smoke test', () => {
  it('passes every operation of a working service', async () => {
    const results = await runSmokeTest(access, 'smoke-1')
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    const operations = results.map(({ operation }) => operation.split(' ')[0])
    for (const { id } of catalogue) expect(operations).toContain(id)
    expect(formatResults(results)).toMatch(/^operation +status +ms\nproducts\.create +200 +\d+\n/)
  })

  it('passes again on the same application, with an id that must be encoded', async () => {
    expect((await runSmokeTest(access, 'smoke/b?')).filter(({ ok }) => !ok)).toEqual([])
  })

  it('reports each operation that fails', async () => {
    const results = await runSmokeTest({ ...access, apiKey: 'wrong' }, 'smoke-2')
    expect(results.filter(({ ok, operation }) => ok && catalogue.some(({ id }) => id === operation))).toEqual(
      [],
    )
    expect(formatResults(results)).toMatch(
      /products\.create +401 +\d+ {2}FAILED {2}POST \S+: 401 Unauthorized/,
    )
  })
})

it('fails every step on a server that is not the service, and prints no characters that control a terminal', async () => {
  const server = createServer((_, response) => response.end('<html>\u001b[2J\u009b\u202e')).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const results = await runSmokeTest({ ...access, baseUrl: `http://localhost:${port}` }, 'smoke-3')
  expect(results.filter(({ ok }) => ok)).toEqual([])
  expect(formatResults(results)).toMatch(
    /no credentials +200 +\d+ {2}FAILED {2}unexpected: <html>\ufffd\[2J\ufffd\ufffd/,
  )
  expect(formatResults(results)).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  server.close()
})

it('requires the address of the service and the id of an application', () =>
  expect(readAccess({ url: access.baseUrl }, {}, new PassThrough())).rejects.toThrow(
    /^--url and --app-id are required, or BILLING_URL and BILLING_APP_ID$/,
  ))

describe('npm run smoke', () => {
  const runSmoke = ({ baseUrl, appId, apiKey }: ClientOptions) => {
    const args = ['bin/smoke.ts', '--url', `${baseUrl}/`, '--app-id', appId]
    return runToEnd(process.execPath, args, { BILLING_API_KEY: apiKey })
  }

  it('prints a table and exits with 0 for success, 1 for failures', async () => {
    const success = await runSmoke(access)
    expect(success).toMatchObject({
      code: 0,
      out: expect.stringMatching(/invoices\.create +200 +\d+\n/),
      err: '',
    })
    expect(success.out).not.toContain(access.apiKey)
    expect((await runSmoke({ ...access, apiKey: 'wrong' })).code).toBe(1)
  })
})
