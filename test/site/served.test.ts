import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { handler } from '../../functions/openapi/retrieve.ts'
import { BUNDLE_FILE, bundleFunctions } from '../../lib/bundle/bundle.ts'
import { pagePaths } from '../../shared/contract/deployable.ts'
import { CONSOLE_PATH, documentFunction } from '../../shared/contract/document-function.ts'
import { openApiDocument } from '../../shared/openapi/document.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

const deployed = {
  headers: { Host: 'api.example.org', 'X-Forwarded-Proto': 'https' },
  requestContext: { path: '/live/openapi.json', requestId: 'given' },
} as never

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
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get({ 'if-none-match': known })
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

  it('returns the same document and pages from the bundle, for the address of its stage', async () => {
    const [{ folder } = { folder: '' }] = await bundleFunctions(temporaryFolder(), [documentFunction])
    const bundled = createRequire(__filename)(join(folder, BUNDLE_FILE)) as { handler: typeof handler }
    for (const resource of pagePaths(documentFunction)) {
      const event = { resource } as never
      const ours = await handler(event)
      const theirs = await bundled.handler(event)
      expect(theirs.headers?.etag).toBe(ours.headers?.etag)
      // Compared without a diff, since the pages are long.
      expect(theirs.body === ours.body).toBe(true)
    }
    const slashed = await bundled.handler({ resource: CONSOLE_PATH, path: '/console/' } as never, {} as never)
    expect(slashed).toMatchObject({ statusCode: 302, body: '' })
    const leadsTo = new URL(String(slashed.headers?.location), 'https://api.example.org/live/console/')
    expect(leadsTo.pathname).toBe('/live/console')
    const response = await bundled.handler(deployed, {} as never)
    expect(response).toEqual(await handler(deployed, {} as never))
    expect(JSON.parse(response.body)).toMatchObject({ servers: [{ url: 'https://api.example.org/live' }] })
  })
})

describe('a page', () => {
  const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024
  const request = (path: string, headers: object = {}) =>
    ({ resource: path, headers, requestContext: { path: `/live${path}`, requestId: 'given' } }) as never
  const text = ({ body }: { body: string }) => gunzipSync(Buffer.from(body, 'base64')).toString()

  it.each(pagePaths(documentFunction))(
    'sends the page %s compressed and cacheable, and small enough for a Lambda response',
    async (path) => {
      const response = await handler(request(path))
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
      const known = { 'if-none-match': response.headers!.etag }
      const unchanged = { statusCode: 304, body: '', isBase64Encoded: false }
      expect(await handler(request(path, known))).toMatchObject(unchanged)
    },
  )

  it('responds to HEAD with the length of the compressed page, and without the page', async () => {
    const { body, headers } = await handler(request('/docs'))
    const head = await handler({ ...(request('/docs') as object), httpMethod: 'HEAD' } as never)
    const length = String(Buffer.from(body, 'base64').length)
    const withLength = { ...headers, 'content-length': length }
    expect(head).toEqual({ statusCode: 200, headers: withLength, body: '', isBase64Encoded: false })
  })

  it('shows the guides with their headings, and links between them', async () => {
    const page = text(await handler(request('/docs')))
    const guides = ['A five-minute tour', 'The API in detail', 'Errors and retries']
    for (const heading of [...guides, 'Load your history in five minutes', 'TypeScript client'])
      expect(page).toContain(`\\n# ${heading}\\n`)
    expect(page).not.toMatch(/\]\((?!https:|#description\/)/)
  })
})
