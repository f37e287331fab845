import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { handler } from '../../functions/openapi/retrieve.ts'
import { BUNDLE_FILE, bundleFunctions } from '../../lib/bundle/bundle.ts'
import { pagePaths } from '../../shared/contract/deployable.ts'
import { CONSOLE_PATH, documentFunction } from '../../shared/contract/document-function.ts'
import { openApiDocument } from '../../shared/openapi/document.ts'
import { consoleFiles, consolePage } from '../../shared/site/console.ts'
import { pageHeaders } from '../../shared/site/page-headers.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { eventWith } from '../support/requests/gateway-events.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

type DocumentEvent = Parameters<typeof handler>[0]

const eventFor = (path: string, parts: Partial<DocumentEvent> = {}): DocumentEvent => ({
  ...eventWith({
    resource: path,
    headers: { Host: 'api.example.org', 'X-Forwarded-Proto': 'https' },
    requestContext: { path: `/live${path}`, requestId: 'given' },
  }),
  ...parts,
})

describe('GET /openapi.json', () => {
  it('returns the document without credentials, for the address of the request', async () => {
    const { baseUrl } = await newClient()
    const response = await fetch(`${baseUrl}/openapi.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('x-request-id')).toMatch(/./)
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(baseUrl))))
  })

  it('returns 304 to a client with a current copy of the document', async () => {
    const { baseUrl } = await newClient()
    const get = (headers: Record<string, string> = {}) => fetch(`${baseUrl}/openapi.json`, { headers })
    const etag = (await get()).headers.get('etag') as string
    for (const cachedTags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get({ 'if-none-match': cachedTags })
      expect(again.status).toBe(304)
      expect(again.headers.get('etag')).toBe(etag)
      expect(await again.text()).toBe('')
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('refuses other methods for the document with 405', async () => {
    const { baseUrl } = await newClient()
    const response = await fetch(`${baseUrl}/openapi.json`, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  it('returns the same document and pages from the bundle as from the sources, for the address of its stage', async () => {
    const [{ folder } = { folder: '' }] = await bundleFunctions(temporaryFolder(), [documentFunction])
    const bundled = createRequire(__filename)(join(folder, BUNDLE_FILE)) as { handler: typeof handler }
    for (const resource of pagePaths(documentFunction)) {
      const fromSource = await handler(eventFor(resource))
      const fromBundle = await bundled.handler(eventFor(resource))
      expect(fromBundle.headers?.etag).toBe(fromSource.headers?.etag)
      // A difference is not printed, since the pages are long.
      expect(fromBundle.body === fromSource.body).toBe(true)
    }
    const event = eventFor('/openapi.json')
    const response = await bundled.handler(event)
    expect(response).toEqual(await handler(event))
    expect(JSON.parse(response.body)).toMatchObject({ servers: [{ url: 'https://api.example.org/live' }] })
  })
})

describe('a page', () => {
  const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024
  const text = ({ body }: { body: string }) => gunzipSync(Buffer.from(body, 'base64')).toString()

  it.each(pagePaths(documentFunction))(
    'sends the page %s compressed and cacheable, and small enough for a Lambda response',
    async (path) => {
      const response = await handler(eventFor(path))
      expect(response).toMatchObject({
        statusCode: 200,
        isBase64Encoded: true,
        headers: {
          'content-encoding': 'gzip',
          'cache-control': 'public, max-age=300',
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; script-src 'self'.*connect-src 'self'/,
          ),
        },
      })
      expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(LAMBDA_PAYLOAD_BYTES)
      const headers = { 'if-none-match': String(response.headers!.etag) }
      const unchanged = { statusCode: 304, body: '', isBase64Encoded: false }
      expect(await handler(eventFor(path, { headers }))).toMatchObject(unchanged)
    },
  )

  it('responds to HEAD with the length of the compressed page, and without the page', async () => {
    const { body, headers } = await handler(eventFor('/docs'))
    const head = await handler(eventFor('/docs', { httpMethod: 'HEAD' }))
    const length = String(Buffer.from(body, 'base64').length)
    const withLength = { ...headers, 'content-length': length }
    expect(head).toEqual({ statusCode: 200, headers: withLength, body: '', isBase64Encoded: false })
  })

  it('redirects a path with a slash at its end to the page', async () => {
    const response = await handler(eventFor(CONSOLE_PATH, { path: '/console/' }))
    expect(response).toMatchObject({ statusCode: 302, body: '' })
    const target = new URL(String(response.headers?.location), 'https://api.example.org/live/console/')
    expect(target.pathname).toBe('/live/console')
  })

  it('shows the guides with their headings, and links between them', async () => {
    const page = text(await handler(eventFor('/docs')))
    const guides = ['A five-minute tour', 'The API in detail', 'Errors and retries']
    for (const heading of [...guides, 'Load your history in five minutes', 'TypeScript client'])
      expect(page).toContain(`\\n# ${heading}\\n`)
    expect(page).not.toMatch(/\]\((?!https:|#description\/)/)
  })
})

describe('the console', () => {
  it('takes at most 90 kB when compressed, which 400 kbit/s of slow 3G transfer in 1.8 seconds', () => {
    const { script, styles } = consoleFiles()
    const sizes = [consolePage(), script, styles].map((text) => gzipSync(text).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(90_000)
  })

  it('has no inline script or style, and escapes the credentials that are filled in', () => {
    expect(consolePage()).not.toMatch(/<style|<script(?![^>]* src=)|style=|data-a/)
    const page = consolePage({ app_id: '"><script>', api_key: '&quot;' })
    expect(page).toContain('data-app-id="&quot;><script>" data-api-key="&amp;quot;"')
  })

  it('lets the console only load from and connect to its own server, and create no markup from text', () => {
    expect(pageHeaders(CONSOLE_PATH)['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'img-src data:',
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      'trusted-types worker',
    ])
  })
})
