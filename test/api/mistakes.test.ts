import { readFileSync } from 'node:fs'
import { errorKinds } from '../../shared/errors.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { routedEndpoint } from '../support/requests/endpoints.ts'
import { firstExampleBody, recordExamples } from '../support/requests/examples.ts'
import { type Call, clientForTests, newClient, serveForTests } from '../support/requests/service.ts'

/**
 * The rows of these tests are the tables of docs/errors.md: each row has a request and its whole response.
 */

serveForTests()

const client = clientForTests()
let placeholders: Readonly<Record<string, string>>
beforeAll(async () => {
  await recordExamples(client)
  await client.create('/api/products', { id: 'another', name: 'Another' })
  const readOnly = { apiKey: newApiKey({ isReadOnly: true }) }
  placeholders = {
    'prod_…': (await client.get('/api/products/plan-pro')).json.data.product.id,
    '<API key>': client.credentials.api_key,
    '<read-only API key>': (await addApiKey(client.credentials.app_id, readOnly)).api_key,
    '<id of another application>': (await newClient()).credentials.app_id,
    '<cursor>': (await client.get('/api/products?limit=1')).json.pagination.next_cursor,
    '<5001 characters>': JSON.stringify('x'.repeat(5_001)),
  }
})

const withValues = (text: string): string =>
  text.replaceAll(/<[^>]+>|prod_…/g, (name) => placeholders[name] ?? name)

const withPlaceholders = (text: string): string =>
  Object.entries(placeholders)
    .reduce((replaced, [name, value]) => replaced.replaceAll(value, name), text)
    .replaceAll(/\b(prod|cus)_[0-9A-Za-z]{22}/g, '$1_…')

/** If a detail lists the known names, a response may list more, since resources gain fields. */
const expectedDetail = (detail: string): unknown => {
  const [start = '', names] = detail.split('use one of: ')
  if (names === undefined) return detail
  const listed = names.slice(0, -1).split(', ').map(RegExp.escape).join(', (?:.*, )?')
  return expect.stringMatching(
    new RegExp(`^${RegExp.escape(start)}use one of: (?:.*, )?${listed}(?:, .*)?\\.$`),
  )
}

interface Mistake {
  readonly requestLine: string
  /** A header, a field of the body, the body itself, or "without" and a name. */
  readonly changes: readonly string[]
  readonly status: number
  readonly title: string | undefined
  readonly details: readonly string[]
}

/** With the word "without" if it stands before a span. */
const codeSpansIn = (text: string): string[] =>
  text.match(/(?:without )?`[^`]+`/g)?.map((span) => span.replaceAll('`', '')) ?? []

/** A row without a request line has that of the section. */
const mistakesIn = (section: string): Mistake[] => {
  const commonLine = /^`([A-Z]+ [^`]+)`$/m.exec(section)?.[1] ?? ''
  let details: readonly string[] = []
  return [...section.matchAll(/^\| (.*`.*) \| (\d+)(?: (.*))? \| (.*) \|$/gm)].map(
    ([, request = '', code, statedTitle, response = '']) => {
      if (response !== 'the same') details = codeSpansIn(response)
      const changes = codeSpansIn(request)
      const requestLine = changes.find((span) => /^[A-Z]+ \//.test(span)) ?? commonLine
      const status = Number(code)
      const title = statedTitle ?? Object.values(errorKinds).find((kind) => kind.status === status)?.title
      return { requestLine, changes: changes.filter((span) => span !== requestLine), status, title, details }
    },
  )
}

const mistakes = readFileSync('docs/errors.md', 'utf8').split('\n### ').slice(1).flatMap(mistakesIn)

/** The example of the endpoint with the changes. */
const requestOf = ({ requestLine, changes }: Mistake): [method: string, path: string, call: Call] => {
  const [method = '', path = ''] = withValues(requestLine).split(' ')
  const endpoint = routedEndpoint(method, path)
  const headers: Record<string, string> = {}
  let body: Record<string, unknown> | undefined = endpoint?.body && { ...firstExampleBody(endpoint) }
  let raw: string | undefined
  for (const change of changes.map(withValues)) {
    const [, omitted = ''] = /^without (.*)/.exec(change) ?? []
    const [, header = '', value = ''] = /^([a-z-]+): (.*)$/.exec(change) ?? []
    const isField = /^"\w+": /.test(change)
    if (header) headers[header] = value
    else if (isField) body = { ...body, ...JSON.parse(`{${change}}`) }
    else if (!omitted) raw = change
    else if (omitted === 'body') body = undefined
    else if (body && omitted in body) delete body[omitted]
    else headers[omitted] = ''
  }
  return [method, path, { headers, ...(raw === undefined ? { body } : { raw }) }]
}

it.each(mistakes)('responds as docs/errors.md states to $requestLine $changes', async (mistake) => {
  const { status, json } = await client.call(...requestOf(mistake))
  expect(status).toBe(mistake.status)
  const { title = '', details } = mistake
  expect(JSON.parse(withPlaceholders(JSON.stringify(json)))).toEqual({
    errors: details.map((detail) => ({ code: status, title, detail: expectedDetail(detail) })),
  })
})
