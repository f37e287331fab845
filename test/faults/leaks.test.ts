import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import {
  type Call,
  type Client,
  logLines,
  newClient,
  SENTINEL,
  serveForTests,
} from '../support/requests/service.ts'

serveForTests()
let client: Client
beforeAll(async () => {
  client = await newClient()
})

const secret = newApiKey()
const readOnlySecret = newApiKey({ isReadOnly: true })
const pathOf = ({ path }: Endpoint, id: string) => path.replace('{id}', encodeURIComponent(id))

/** A request with the sentinel or a key in one header, in the URL or in the body, and whether its response may echo it. */
interface Sent {
  readonly path: string
  readonly call: Call
  readonly echoes: boolean
}

const inHeaders = (path: string): Sent[] =>
  [
    { authorization: `Basic ${SENTINEL}` },
    { authorization: `Bearer ${SENTINEL}` },
    { authorization: `Bearer ${secret}` },
    { authorization: `Bearer ${secret}x` },
    { authorization: `Bearer ${readOnlySecret}` },
    { 'x-app-id': SENTINEL },
    { 'x-request-id': `${SENTINEL} is not sane` },
    { 'content-type': `text/${SENTINEL}` },
    { cookie: SENTINEL, 'user-agent': SENTINEL, 'x-forwarded-for': SENTINEL, 'x-api-key': secret },
  ].map((headers) => ({ path, call: { headers }, echoes: 'content-type' in headers }))

const inUrl = (endpoint: Endpoint, path: string): Sent[] => {
  const texts = [SENTINEL, secret, readOnlySecret, `${SENTINEL}\u0000`, SENTINEL.repeat(50)]
  const paths = endpoint.path.includes('{id}') ? texts.map((text) => pathOf(endpoint, text)) : []
  const names = ['limit', 'cursor', 'include', SENTINEL]
  const queries = texts.map(
    (text) => `${path}?${names.map((name) => `${name}=${encodeURIComponent(text)}`).join('&')}`,
  )
  return [...paths, ...queries, `${path}/${SENTINEL}`].map((each) => ({ path: each, call: {}, echoes: true }))
}

const inBody = ({ body }: Endpoint, path: string): Sent[] => {
  const values = [SENTINEL, secret, { [SENTINEL]: SENTINEL }, [SENTINEL], SENTINEL.repeat(600)]
  const bodies = [...Object.keys(body?.properties ?? {}), SENTINEL].flatMap((name) =>
    values.map((value) => ({ id: 'id', [name]: value })),
  )
  const raw = [`{"name": "${SENTINEL}"`, SENTINEL, `["${SENTINEL}",]`, `{"${SENTINEL}": ${SENTINEL}}`]
  return [
    ...bodies.map((each) => ({ path, call: { body: each }, echoes: true })),
    ...raw.map((each) => ({ path, call: { raw: each }, echoes: false })),
  ]
}

/** Returns the requests of an endpoint. Those that test other parts have an empty body if the endpoint takes one. */
const requestsOf = (endpoint: Endpoint): Sent[] => {
  const others = [
    ...inHeaders(pathOf(endpoint, 'nothing has this id')),
    ...inUrl(endpoint, pathOf(endpoint, 'id')),
  ]
  if (!endpoint.body) return others
  const filled = others.map((each) => ({ ...each, call: { body: {}, ...each.call } }))
  return [...filled, ...inBody(endpoint, pathOf(endpoint, 'id'))]
}

it.each(catalogue)('$id logs no content of a request and no API key', async (endpoint) => {
  const before = logLines.length
  for (const { path, call, echoes } of requestsOf(endpoint)) {
    const { status, json, headers } = await client.call(endpoint.method, path, call)
    expect(status).toBeLessThan(500)
    const shown = JSON.stringify([json, [...headers]])
    expect(shown).not.toContain(client.credentials.api_key)
    if (!echoes && [SENTINEL, secret, readOnlySecret].some((text) => shown.includes(text)))
      throw new Error(`${JSON.stringify(call)} responded with ${shown}`)
  }
  expect(logLines.length).toBeGreaterThan(before)
  const leaking = logLines.slice(before).filter((line) => line.includes(SENTINEL) || /bd[kr]_/.test(line))
  expect(leaking).toEqual([])
})
