import { transform } from 'esbuild'
import { createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { operationId } from '../../shared/openapi/components.ts'
import { samples } from '../../shared/site/samples.ts'
import { currentService } from '../../shared/store/service.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { examplePath, firstExampleBody } from '../support/requests/examples.ts'

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

describe('a sample', () => {
  interface SentRequest {
    readonly method: string
    readonly url: string
    readonly body: unknown
  }

  const requestsOf = async (sample: string): Promise<SentRequest[]> => {
    const requests: SentRequest[] = []
    const fetch = async (url: string, { method, body }: { method: string; body: string | null }) => {
      requests.push({ method, url, body: body && JSON.parse(body) })
      return new Response('{"data": {"any": {}}, "pagination": {"next_cursor": null}}')
    }
    const { code } = await transform(
      `export const run = async () => {${sample.replace(/^import.*$/m, '')}}`,
      {
        loader: 'ts',
        format: 'cjs',
      },
    )
    const module: { exports: { run?: () => Promise<void> } } = { exports: {} }
    const access = { baseUrl: 'http://127.0.0.1:3000', appId: 'app', apiKey: 'key' }
    const create = ({ baseUrl }: { baseUrl: string }) => createClient({ ...access, baseUrl, fetch })
    new Function('module', 'createClient', code)(module, create)
    await module.exports.run?.().catch((error: unknown) => {
      // The responses above have no list to iterate over.
      if (!(error instanceof TypeError)) throw error
    })
    return requests
  }

  it.each(catalogue)(
    'runs the sample of $id for the typed client, which sends the example of the OpenAPI document',
    async (endpoint) => {
      const [request] = await requestsOf(samples()[operationId(endpoint)]!)
      const query = endpoint.operation === 'list' ? '?limit=100' : ''
      expect(request).toEqual({
        method: endpoint.method,
        url: `http://127.0.0.1:3000${examplePath(endpoint)}${query}`,
        body: endpoint.body ? firstExampleBody(endpoint) : null,
      })
    },
  )
})
