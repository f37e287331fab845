import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { catalogue } from '../../shared/catalogue.ts'
import { gatewaySteps } from '../../tools/smoke/gateway.ts'
import { refusesOldTls } from '../../tools/smoke/old-tls.ts'
import { report, runTour } from '../../tools/smoke/run.ts'
import { selfSigned } from '../support/self-signed.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

const destination = async () => {
  const { baseUrl, credentials } = await newClient()
  return { baseUrl, appId: credentials.app_id, apiKey: credentials.api_key }
}

describe('the tour', () => {
  it('passes at every operation', async () => {
    const outcomes = await runTour(await destination(), 'tour-1')
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([])
    const operations = outcomes.map(({ operation }) => operation.split(' ')[0])
    for (const { id } of catalogue) expect(operations).toContain(id)
    expect(outcomes.map(({ operation, status }) => `${operation}: ${status}`)).toEqual(
      expect.arrayContaining([
        'no credentials: 401',
        ...['', ', with a key', ', signed for AWS', ', unknown content', ', deeper', ', the root'].map(
          (how) => `no such path${how}: 404`,
        ),
        'no such method: 405',
        'too large for a function: 413',
        'a slash after the path: 200',
        'slashes before the path: 200',
        'request id, sent to an operation: 200',
        'request id, of the gateway: 404',
        'OpenAPI document: 200',
        'OpenAPI document, with a slash: 200',
        'OpenAPI document, known: 304',
      ]),
    )
    expect(report(outcomes)).toMatch(/^operation +status +ms\nproducts\.create +200 +\d+\n/)
  })

  it('can be repeated', async () => {
    const to = await destination()
    for (const own of ['tour-a', 'tour/b?'])
      expect((await runTour(to, own)).filter(({ ok }) => !ok)).toEqual([])
  })

  it('reports the operations that fail', async () => {
    const to = { ...(await destination()), apiKey: 'wrong' }
    const outcomes = await runTour(to, 'tour-2')
    expect(
      outcomes.filter(({ ok, operation }) => ok && catalogue.some(({ id }) => id === operation)),
    ).toEqual([])
    expect(report(outcomes)).toMatch(/products\.create +401 +\d+ {2}FAILED {2}POST \S+: 401 Unauthorized/)
  })
})

describe('the tour of another server', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer((_, response) => response.end('<html>')).listen(0)
    await new Promise((resolve) => server.once('listening', resolve))
  })
  afterAll(() => void server.close())

  it('fails at every step', async () => {
    const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`
    const outcomes = await runTour({ baseUrl, appId: 'app_x', apiKey: 'x' }, 'tour-3')
    expect(outcomes.filter(({ ok }) => ok)).toEqual([])
  })
})

describe('a client with TLS 1.1 at most', () => {
  it.each([
    ['refused', true, 'TLSv1.2'],
    ['not refused', false, 'TLSv1'],
  ] as const)('is seen to be %s', async (_, refused, minVersion) => {
    const server = createTlsServer({ ...selfSigned(), minVersion, ciphers: 'DEFAULT:@SECLEVEL=0' }).listen(0)
    try {
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      expect(await refusesOldTls(`https://localhost:${port}`)).toBe(refused)
    } finally {
      server.close()
    }
  })

  it('is tested if the address has TLS', () => {
    const [here, there] = ['http', 'https'].map((scheme) =>
      gatewaySteps({ baseUrl: `${scheme}://api.example.org`, appId: 'a', apiKey: 'k' }).map(
        ({ operation }) => operation,
      ),
    )
    expect(there).toEqual([...(here as string[]), 'TLS 1.1'])
  })

  it('does not count as refused if nothing listens', async () => {
    await expect(refusesOldTls('https://localhost:1')).rejects.toThrow('ECONNREFUSED')
  })
})

describe('npm run smoke', () => {
  const smoke = (...args: string[]): Promise<{ code: number | null; said: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['bin/smoke.ts', ...args])
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk
        })
      child.once('close', (code) => resolve({ code, said }))
    })

  it('prints the table and exits with 0 for success, 1 for failures, 2 for wrong usage', async () => {
    const { baseUrl, appId, apiKey } = await destination()
    const well = await smoke('--url', `${baseUrl}/`, '--app-id', appId, '--api-key', apiKey)
    expect(well).toEqual({ code: 0, said: expect.stringMatching(/invoices\.create +200 +\d+\n/) })
    expect(well.said).not.toContain(apiKey)
    expect((await smoke('--url', baseUrl, '--app-id', appId, '--api-key', 'wrong')).code).toBe(1)
    for (const args of [[], ['--app-id', appId, '--api-key', apiKey]])
      expect(await smoke('--url', baseUrl.replace('http://', ''), ...args)).toEqual({
        code: 2,
        said: expect.stringMatching(/^smoke: --[^\n]+\n$/),
      })
    expect(await smoke('--help')).toEqual({ code: 0, said: expect.stringMatching(/^usage: /) })
  })
})
