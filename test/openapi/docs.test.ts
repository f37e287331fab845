import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { DOCS_PATH } from '../../shared/contract/deployable.ts'
import { cleanUp, startLocal } from '../support/local-process.ts'

let url = ''
let key = ''
beforeAll(async () => {
  const { out, demo } = await startLocal({ PORT: '0' }, ['--memory'])
  url = /^Documentation +(\S+)$/m.exec(out())![1]!
  key = demo.api_key
})
afterAll(cleanUp)

/** The page as it is answered to a request with this `host`. */
const pageFor = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    get({ hostname, port, path: DOCS_PATH, headers: { host } }, async (response) => {
      const bytes = Buffer.concat(await Array.fromAsync(response))
      resolve((response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString())
    }).once('error', reject)
  })

describe('the documentation page', () => {
  it('is where the service says at its start, with the demo key filled in', async () => {
    for (const address of [url, `${url}/`]) {
      const response = await fetch(address)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain(key)
    }
  })

  it.each(['rebound.example', 'localhost.example', 'not-localhost', 'localhost:1x'])(
    'keeps the key from pages that reach this machine as "%s"',
    async (host) => {
      const shown = await pageFor(host)
      expect(shown).toContain('This server answers only at the names of this machine')
      expect(shown).not.toContain(key)
    },
  )

  it.each(['localhost', 'localhost:3000', '127.0.0.1:1', '[::1]'])('is filled in for "%s"', async (host) => {
    expect(await pageFor(host)).toContain(key)
  })

  it('allows nothing to be fetched from elsewhere, and is not kept', async () => {
    const { headers } = await fetch(url)
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

  it('asks its renderer to tell nobody of the reader, to keep no key, and to show few languages', async () => {
    const settings = /^ +\.\.\.(.*),$/m.exec(await pageFor('localhost'))?.[1] ?? ''
    expect(settings).not.toContain('<')
    const { authentication, hiddenClients, ...shown } = JSON.parse(settings)
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
    })
    for (const kept of ['python', 'python/requests', 'shell', 'shell/curl'])
      expect(hiddenClients).not.toContain(kept)
    expect(authentication).toEqual({
      preferredSecurityScheme: [['apiKey', 'appId']],
      securitySchemes: {
        apiKey: { token: key },
        appId: { value: expect.stringMatching(/^app_/) },
      },
    })
  })
})
