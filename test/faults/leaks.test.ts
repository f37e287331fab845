import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { type Call, clientForTests, logLines, SENTINEL, serveForTests } from '../support/requests/service.ts'

serveForTests()
const client = clientForTests()

const apiKey = newApiKey()
const readOnlyKey = newApiKey({ isReadOnly: true })
const secrets = [SENTINEL, apiKey, readOnlyKey]
const pathOf = ({ path }: Endpoint, id: string) => path.replace('{id}', encodeURIComponent(id))

interface LeakTest {
  readonly path: string
  readonly call: Call
  readonly mayEcho: boolean
}

const inHeaders = (path: string): LeakTest[] =>
  [
    { authorization: `Basic ${SENTINEL}` },
    { authorization: `Bearer ${SENTINEL}` },
    { authorization: `Bearer ${apiKey}` },
    { authorization: `Bearer ${apiKey}x` },
    { authorization: `Bearer ${readOnlyKey}` },
    { 'x-app-id': SENTINEL },
    { 'x-request-id': `${SENTINEL} is not sane` },
    { 'content-type': `text/${SENTINEL}` },
    { cookie: SENTINEL, 'user-agent': SENTINEL, 'x-forwarded-for': SENTINEL, 'x-api-key': apiKey },
  ].map((headers) => ({ path, call: { headers }, mayEcho: 'content-type' in headers }))

const inUrl = (endpoint: Endpoint, path: string): LeakTest[] => {
  const texts = [...secrets, `${SENTINEL}\u0000`, SENTINEL.repeat(50)]
  const paths = endpoint.path.includes('{id}') ? texts.map((text) => pathOf(endpoint, text)) : []
  const names = ['limit', 'cursor', 'include', SENTINEL]
  const queries = texts.map(
    (text) => new URLSearchParams(Object.fromEntries(names.map((name) => [name, text]))),
  )
  const urls = [...paths, ...queries.map((query) => `${path}?${query}`), `${path}/${SENTINEL}`]
  return urls.map((url) => ({ path: url, call: {}, mayEcho: true }))
}

const inBody = ({ body }: Endpoint, path: string): LeakTest[] => {
  const values = [SENTINEL, apiKey, { [SENTINEL]: SENTINEL }, [SENTINEL], SENTINEL.repeat(600)]
  const names = [...Object.keys(body?.properties ?? {}), SENTINEL]
  const bodies = names.flatMap((name) => values.map((value) => ({ id: 'id', [name]: value })))
  const invalidJson = [`{"name": "${SENTINEL}"`, SENTINEL, `["${SENTINEL}",]`, `{"${SENTINEL}": ${SENTINEL}}`]
  return [
    ...bodies.map((sent) => ({ path, call: { body: sent }, mayEcho: true })),
    ...invalidJson.map((raw) => ({ path, call: { raw }, mayEcho: false })),
  ]
}

/** If the endpoint takes a body, the requests that test headers and URLs have an empty one. */
const requestsOf = (endpoint: Endpoint): LeakTest[] => {
  const path = pathOf(endpoint, 'unknown')
  const withoutBody = [...inHeaders(path), ...inUrl(endpoint, path)]
  if (!endpoint.body) return withoutBody
  const withEmptyBody = withoutBody.map((test) => ({ ...test, call: { body: {}, ...test.call } }))
  return [...withEmptyBody, ...inBody(endpoint, path)]
}

it.each(catalogue)(
  '$id logs no content of a request and no API key, and returns no key',
  async (endpoint) => {
    const before = logLines.length
    for (const { path, call, mayEcho } of requestsOf(endpoint)) {
      const { status, json, headers } = await client.call(endpoint.method, path, call)
      expect(status).toBeLessThan(500)
      const shown = JSON.stringify([json, [...headers]])
      expect(shown).not.toContain(client.credentials.api_key)
      if (!mayEcho && secrets.some((text) => shown.includes(text)))
        throw new Error(`${JSON.stringify(call)} responded with ${shown}`)
    }
    expect(logLines.length).toBeGreaterThan(before)
    const leakingLines = logLines
      .slice(before)
      .filter((line) => line.includes(SENTINEL) || /bd[kr]_/.test(line))
    expect(leakingLines).toEqual([])
  },
)
