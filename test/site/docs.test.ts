import { currentService } from '../../shared/store/service.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'

let service: LocalService
let url = ''
let key = ''
beforeAll(async () => {
  currentService().log = () => undefined
  service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  url = `${service.baseUrl}/docs`
  key = service.demo.api_key
})
afterAll(() => service.stop())

it('names in a header of the OpenAPI document the pages that are served with it, so that they can link to each other', async () => {
  const { headers } = await fetch(`${service.baseUrl}/openapi.json`)
  expect(headers.get('served-pages')).toBe('docs, console')
})

describe('the documentation page', () => {
  it('serves the documentation with the demo key filled in', async () => {
    for (const address of [url, `${url}/`]) {
      const response = await fetch(address)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain(key)
    }
  })

  it('allows the documentation to fetch only from its own server', async () => {
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
  })

  it('keeps the documentation, which contains the key, out of caches', async () => {
    const { headers } = await fetch(url)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('sends the documentation with the usual security headers', async () => {
    const { headers } = await fetch(url)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('disables telemetry, the storage of keys and most languages in the renderer of the documentation', async () => {
    const page = await (await fetch(url)).text()
    const content = /<script type="application\/json" id="content">(.*)<\/script>/.exec(page)?.[1] ?? ''
    expect(content).not.toContain('<')
    const { authentication, hiddenClients, ...settings } = JSON.parse(content).settings
    expect(settings).toMatchObject({
      withDefaultFonts: false,
      telemetry: false,
      persistAuth: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    })
    for (const shownClient of ['python', 'python/requests', 'shell', 'shell/curl'])
      expect(hiddenClients).not.toContain(shownClient)
    expect(authentication).toEqual({
      preferredSecurityScheme: [['apiKey', 'appId']],
      securitySchemes: {
        apiKey: { token: key },
        appId: { value: expect.stringMatching(/^app_/) },
      },
    })
  })
})
