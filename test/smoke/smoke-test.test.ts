import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { ClientOptions } from '../../client/options.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { readAccess } from '../../tools/cli/access.ts'
import { report, runSmokeTest } from '../../tools/smoke/smoke-test.ts'
import { runToEnd } from '../support/processes/local-process.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let to: ClientOptions
beforeAll(async () => {
  const { baseUrl, credentials } = await newClient()
  to = { baseUrl, appId: credentials.app_id, apiKey: credentials.api_key }
})

describe('the smoke test', () => {
  it('passes every operation of a working service', async () => {
    const results = await runSmokeTest(to, 'smoke-1')
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    const operations = results.map(({ operation }) => operation.split(' ')[0])
    for (const { id } of catalogue) expect(operations).toContain(id)
    expect(report(results)).toMatch(/^operation +status +ms\nproducts\.create +200 +\d+\n/)
  })

  it('passes again on the same application, with an id that must be encoded', async () => {
    expect((await runSmokeTest(to, 'smoke/b?')).filter(({ ok }) => !ok)).toEqual([])
  })

  it('reports each operation that fails', async () => {
    const results = await runSmokeTest({ ...to, apiKey: 'wrong' }, 'smoke-2')
    expect(results.filter(({ ok, operation }) => ok && catalogue.some(({ id }) => id === operation))).toEqual(
      [],
    )
    expect(report(results)).toMatch(/products\.create +401 +\d+ {2}FAILED {2}POST \S+: 401 Unauthorized/)
  })
})

it('fails every step on a server that is not the service, and prints nothing that controls a terminal', async () => {
  const server = createServer((_, response) => response.end('<html>\u001b[2J\u009b\u202e')).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const results = await runSmokeTest({ ...to, baseUrl: `http://localhost:${port}` }, 'smoke-3')
  expect(results.filter(({ ok }) => ok)).toEqual([])
  expect(report(results)).toMatch(
    /no credentials +200 +\d+ {2}FAILED {2}unexpected: <html>\ufffd\[2J\ufffd\ufffd/,
  )
  expect(report(results)).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  server.close()
})

it('needs the address of the service and the id of an application', () =>
  expect(readAccess({ url: to.baseUrl }, {}, new PassThrough())).rejects.toThrow(
    /^--url and --app-id are required, or BILLING_URL and BILLING_APP_ID$/,
  ))

describe('npm run smoke', () => {
  const smoke = (args: string[], env: NodeJS.ProcessEnv) =>
    runToEnd(process.execPath, ['bin/smoke.ts', ...args], env)
  const as = ({ baseUrl, appId, apiKey }: ClientOptions) =>
    smoke(['--url', `${baseUrl}/`, '--app-id', appId], { BILLING_API_KEY: apiKey })

  it('prints a table and exits with 0 for success, 1 for failures', async () => {
    const well = await as(to)
    expect(well).toMatchObject({
      code: 0,
      out: expect.stringMatching(/invoices\.create +200 +\d+\n/),
      err: '',
    })
    expect(well.out).not.toContain(to.apiKey)
    expect((await as({ ...to, apiKey: 'wrong' })).code).toBe(1)
  })
})
