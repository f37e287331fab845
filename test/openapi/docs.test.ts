import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { DOCS_PATH } from '../../tools/local/docs.ts'

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

/** The page as it is answered to a request with this `host`, empty for none. */
const pageFor = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(urlIn(service.said))
    const socket = connect(Number(port), hostname).once('error', reject)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.write(`GET ${DOCS_PATH} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  })

let service: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

describe('the documentation page', () => {
  it('is where the service says at its start, with the demo key filled in', async () => {
    for (const url of [urlIn(service.said), `${urlIn(service.said)}/`]) {
      const response = await fetch(url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain(keyIn(service.said))
    }
  })

  it.each(['rebound.example', 'localhost.example', 'not-localhost', 'localhost:1x', ''])(
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
    const settings =
      /createApiReference\('#app', (.*)\)<\/script>/.exec(await pageFor('localhost'))?.[1] ?? ''
    expect(settings).not.toContain('<')
    const { authentication, ...shown } = JSON.parse(settings)
    expect(shown).toMatchObject({
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      persistAuth: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      documentDownloadType: 'json',
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

  it.each(['POST', 'PUT', 'DELETE'])('is not there for %s', async (method) => {
    const { status } = await fetch(urlIn(service.said), { method })
    expect(status).toBe(404)
  })

  it('is asked for by HEAD as by GET', async () => {
    const { status, headers } = await fetch(urlIn(service.said), { method: 'HEAD' })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('gets its script from the package, once', async () => {
    const url = `${urlIn(service.said)}/scalar.js`
    const first = await fetch(url)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const { length } = await first.text()
    expect(length).toBeGreaterThan(1_000_000)
    const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const stale = await fetch(url, { headers: { 'if-none-match': '"another"' } })
    expect([stale.status, (await stale.text()).length]).toEqual([200, length])
    expect((await fetch(`${url}x`)).status).toBe(404)
  })
})
