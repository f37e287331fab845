import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { type Call, type Client, logLines, newClient, SENTINEL, serveForTests } from '../support/service.ts'

serveForTests()
let client: Client
beforeAll(async () => {
  client = await newClient()
})

const secret = newApiKey()
const pathOf = ({ path }: Endpoint, id = SENTINEL) => path.replace('{id}', encodeURIComponent(id))

/** A request with the sentinel or a key in one place, and whether its answer may echo it. */
interface Sent {
  readonly path: string
  readonly call: Call
  readonly echoes: boolean
}

const inHeaders = (endpoint: Endpoint): Sent[] => {
  const path = pathOf(endpoint, 'nothing has this id')
  const headers: Record<string, string>[] = [
    { authorization: `Basic ${SENTINEL}` },
    { authorization: `Bearer ${SENTINEL}` },
    { authorization: `Bearer ${secret}` },
    { authorization: `Bearer ${secret}x` },
    { 'x-app-id': SENTINEL },
    { 'x-request-id': `${SENTINEL} is not sane` },
    { 'content-type': `text/${SENTINEL}` },
    { cookie: SENTINEL, 'user-agent': SENTINEL, 'x-forwarded-for': SENTINEL, 'x-api-key': secret },
  ]
  return headers.map((each) => ({
    path,
    call: { headers: each, ...bodyFor(endpoint, {}) },
    echoes: 'content-type' in each,
  }))
}

const bodyFor = ({ body }: Endpoint, value: unknown): Call => (body ? { body: value } : {})

const inUrl = (endpoint: Endpoint): Sent[] => {
  const texts = [SENTINEL, secret, `${SENTINEL}\u0000`, SENTINEL.repeat(50)]
  const paths = endpoint.path.includes('{id}') ? texts.map((text) => pathOf(endpoint, text)) : []
  const queries = ['limit', 'cursor', 'include', SENTINEL].flatMap((name) =>
    texts.map((text) => `${pathOf(endpoint, 'id')}?${name}=${encodeURIComponent(text)}`),
  )
  return [...paths, ...queries, `${pathOf(endpoint, 'id')}/${SENTINEL}`].map((path) => ({
    path,
    call: bodyFor(endpoint, {}),
    echoes: true,
  }))
}

const inBody = (endpoint: Endpoint): Sent[] => {
  if (!endpoint.body) return []
  const names = Object.keys(endpoint.body.properties)
  const values = [SENTINEL, secret, { [SENTINEL]: SENTINEL }, [SENTINEL], SENTINEL.repeat(600)]
  const path = pathOf(endpoint, 'id')
  const raw = [`{"name": "${SENTINEL}"`, SENTINEL, `["${SENTINEL}",]`, `{"${SENTINEL}": ${SENTINEL}}`]
  return [
    ...names.flatMap((name) => values.map((value) => ({ id: 'id', [name]: value }))),
    ...values.map((value) => ({ id: 'id', [SENTINEL]: value })),
  ]
    .map((body): Sent => ({ path, call: { body }, echoes: true }))
    .concat(raw.map((text) => ({ path, call: { raw: text }, echoes: false })))
}

describe('the content of requests is not logged', () => {
  it.each(catalogue)('$id', async (endpoint) => {
    const before = logLines.length
    for (const { path, call, echoes } of [...inHeaders(endpoint), ...inUrl(endpoint), ...inBody(endpoint)]) {
      const { status, json, headers } = await client.call(endpoint.method, path, call)
      expect(status).toBeLessThan(500)
      const said = JSON.stringify([json, [...headers]])
      expect(said).not.toContain(client.credentials.api_key)
      if (!echoes && (said.includes(SENTINEL) || said.includes(secret)))
        throw new Error(`${JSON.stringify(call)} is answered ${said}`)
    }
    expect(logLines.length).toBeGreaterThan(before)
    expect(logLines.slice(before).filter((line) => line.includes(SENTINEL) || line.includes('bdk_'))).toEqual(
      [],
    )
  })
})
