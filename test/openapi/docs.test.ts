import { spawn } from 'node:child_process'
import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { DOCS_PATH } from '../../shared/contract/deployable.ts'

const start = async () => {
  const env = { ...process.env, PORT: '0', DYNAMODB_PORT: '0' }
  const service = spawn(process.execPath, ['bin/local.ts', '--memory'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<Buffer>((resolve) => service.stdout.once('data', resolve))
  const stop = async () => {
    service.kill()
    await new Promise((resolve) => service.once('close', resolve))
  }
  return { said: said.toString(), stop }
}

const urlIn = (said: string): string => /^Documentation +(\S+)$/m.exec(said)?.[1] ?? ''
const keyIn = (said: string): string => /^Demo API key +(\S+)$/m.exec(said)?.[1] ?? 'no key'

/** The page as it is answered to a request with this `host`. */
const pageFor = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(urlIn(service.said))
    get({ hostname, port, path: DOCS_PATH, headers: { host } }, async (response) => {
      const bytes = Buffer.concat(await Array.fromAsync(response))
      resolve((response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString())
    }).once('error', reject)
  })

let service: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

describe('the documentation page', () => {
  it('is where the service says at its start, and where / leads, with the demo key filled in', async () => {
    for (const url of [urlIn(service.said), `${urlIn(service.said)}/`, new URL('/', urlIn(service.said))]) {
      const response = await fetch(url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain(keyIn(service.said))
    }
  })

  it.each(['rebound.example', 'localhost.example', 'not-localhost', 'localhost:1x'])(
    'keeps the key from pages that reach this machine as "%s"',
    async (host) => {
      const shown = await pageFor(host)
      expect(shown).toContain('<div id="app">')
      expect(shown).not.toContain(keyIn(service.said))
    },
  )

  it.each(['localhost', 'localhost:3000', '127.0.0.1:1', '[::1]'])('is filled in for "%s"', async (host) => {
    expect(await pageFor(host)).toContain(keyIn(service.said))
  })

  it('allows nothing to be fetched from elsewhere, and is not kept', async () => {
    const { headers } = await fetch(urlIn(service.said))
    expect(headers.get('content-security-policy')?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self' data:",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self' 'unsafe-inline'",
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('asks its renderer to tell nobody of the reader, to keep no key, and to show curl', async () => {
    const settings = /^ +\.\.\.(.*),$/m.exec(await pageFor('localhost'))?.[1] ?? ''
    expect(settings).not.toContain('<')
    const { authentication, ...shown } = JSON.parse(settings)
    expect(shown).toMatchObject({
      withDefaultFonts: false,
      telemetry: false,
      persistAuth: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      documentDownloadType: 'none',
      orderSchemaPropertiesBy: 'preserve',
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    })
    expect(authentication).toEqual({
      preferredSecurityScheme: [['apiKey', 'appId']],
      securitySchemes: {
        apiKey: { token: keyIn(service.said) },
        appId: { value: expect.stringMatching(/^app_/) },
      },
    })
  })
})
