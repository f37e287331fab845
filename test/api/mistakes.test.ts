import { readFileSync } from 'node:fs'
import { errorKinds } from '../../shared/errors.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { routedEndpoint } from '../support/requests/endpoints.ts'
import { clientWithExamples, firstExampleBody } from '../support/requests/examples.ts'
import { type Call, type Client, newClient, serveForTests } from '../support/requests/service.ts'

/** The tables of docs/errors.md are the tables of this test: each row is a request and its whole response. */

serveForTests()

let client: Client
/** The values of the document's placeholders. */
let values: Readonly<Record<string, string>>
beforeAll(async () => {
  client = await clientWithExamples()
  await client.create('/api/products', { id: 'another', name: 'Another' })
  const readOnly = { apiKey: newApiKey({ isReadOnly: true }) }
  values = {
    'prod_…': (await client.get('/api/products/plan-pro')).json.data.product.id,
    '<API key>': client.credentials.api_key,
    '<read-only API key>': (await addApiKey(client.credentials.app_id, readOnly)).api_key,
    '<id of another application>': (await newClient()).credentials.app_id,
    '<cursor>': (await client.get('/api/products?limit=1')).json.pagination.next_cursor,
    '<5001 characters>': JSON.stringify('x'.repeat(5_001)),
  }
})

const filled = (text: string): string => text.replaceAll(/<[^>]+>|prod_…/g, (name) => values[name] ?? name)

/** A response's text as the document shows it. */
const elided = (text: string): string =>
  Object.entries(values)
    .reduce((all, [name, value]) => all.replaceAll(value, name), text)
    .replaceAll(/\b(prod|cus)_[0-9A-Za-z]{22}/g, '$1_…')

/** A detail as the document shows it. Its list of known names may lack some, since resources gain fields. */
const withMoreNames = (detail: string): unknown => {
  const [start = '', names] = detail.split('known are: ')
  if (names === undefined) return detail
  const listed = names.slice(0, -1).split(', ').map(RegExp.escape).join(', (?:.*, )?')
  return expect.stringMatching(
    new RegExp(`^${RegExp.escape(start)}known are: (?:.*, )?${listed}(?:, .*)?\\.$`),
  )
}

interface Mistake {
  readonly line: string
  /** The code spans that change the example of the request line; what follows "without " is left out. */
  readonly changes: readonly string[]
  readonly status: number
  readonly title: string | undefined
  readonly details: readonly string[]
}

const spansIn = (text: string): string[] =>
  text.match(/(?:without )?`[^`]+`/g)?.map((span) => span.replaceAll('`', '')) ?? []

const mistakesIn = (section: string): Mistake[] => {
  const common = /^`([A-Z]+ [^`]+)`$/m.exec(section)?.[1] ?? ''
  let details: readonly string[] = []
  return [...section.matchAll(/^\| (.*`.*) \| (\d+)(?: (.*))? \| (.*) \|$/gm)].map(
    ([, request = '', code, named, response = '']) => {
      if (response !== 'the same') details = spansIn(response)
      const changes = spansIn(request)
      const line = changes.find((span) => /^[A-Z]+ \//.test(span)) ?? common
      const status = Number(code)
      const title = named ?? Object.values(errorKinds).find((kind) => kind.status === status)?.title
      return { line, changes: changes.filter((span) => span !== line), status, title, details }
    },
  )
}

const mistakes = readFileSync('docs/errors.md', 'utf8').split('\n### ').slice(1).flatMap(mistakesIn)

const callOf = ({ line, changes }: Mistake): [method: string, path: string, call: Call] => {
  const [method = '', path = ''] = filled(line).split(' ')
  const endpoint = routedEndpoint(method, path)
  const headers: Record<string, string> = {}
  let body: Record<string, unknown> | undefined = endpoint?.body && { ...firstExampleBody(endpoint) }
  let raw: string | undefined
  for (const change of changes.map(filled)) {
    const [, without = ''] = /^without (.*)/.exec(change) ?? []
    const [, header = '', value = ''] = /^([a-z-]+): (.*)$/.exec(change) ?? []
    if (header) headers[header] = value
    else if (/^"\w+": /.test(change)) body = { ...body, ...JSON.parse(`{${change}}`) }
    else if (!without) raw = change
    else if (without === 'body') body = undefined
    else if (body && without in body) delete body[without]
    else headers[without] = ''
  }
  return [method, path, { headers, ...(raw === undefined ? { body } : { raw }) }]
}

it.each(mistakes)('responds as docs/errors.md states to $line $changes', async (mistake) => {
  const { status, json } = await client.call(...callOf(mistake))
  const { status: code, title = '', details } = mistake
  expect(status).toBe(code)
  expect(JSON.parse(elided(JSON.stringify(json)))).toEqual({
    errors: details.map((detail) => ({ code, title, detail: withMoreNames(detail) })),
  })
})
