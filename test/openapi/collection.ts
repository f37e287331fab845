import { catalogue } from '../../shared/catalogue.ts'
import {
  type Collection,
  type CollectionItem,
  collection,
  importedCollection,
} from '../../tools/local/collection.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { exampleBody } from './provocations.ts'

serveForTests()

type Request = NonNullable<CollectionItem['request']>

const requestsOf = ({ item }: { readonly item: readonly CollectionItem[] }): Request[] =>
  item.flatMap((each) => (each.request ? [each.request] : requestsOf({ item: each.item ?? [] })))

const templateOf = ({ method, url }: Request): string =>
  `${method} /${url.path.join('/').replace(':id', '{id}')}`

/** What Postman sends of a request, with the variables of the collection filled in. */
const sent = ({ auth, variable }: Collection, request: Request, values: Readonly<Record<string, string>>) => {
  const known = new Map([
    ...variable.map(({ key, value }) => [key, value] as const),
    ...Object.entries(values),
  ])
  const filled = (text: string): string =>
    text.includes('{{')
      ? filled(text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => known.get(name)!))
      : text
  const { path, query = [], variable: inPath = [] } = request.url
  const segments = path.map((part) =>
    part.startsWith(':') ? encodeURIComponent(inPath.find(({ key }) => key === part.slice(1))!.value) : part,
  )
  const headers = request.header.map(({ key, value }) => [key, filled(value)] as const)
  const { raw } = request.body ?? {}
  return {
    url: `${filled('{{baseUrl}}')}/${segments.join('/')}?${query.flatMap(({ key, value, disabled }) => (disabled ? [] : `${key}=${value}`)).join('&')}`,
    init: {
      method: request.method,
      headers: { ...Object.fromEntries(headers), authorization: `Bearer ${filled(auth.bearer[0]!.value)}` },
      ...(raw ? { body: raw } : {}),
    },
  }
}

describe("what Postman's importer makes of the document", () => {
  it('has all operations, with the bodies of their examples and the API key', async () => {
    const imported = await importedCollection('http://localhost:3000')
    const requests = requestsOf(imported)
    expect(requests.map(templateOf)).toEqual(catalogue.map(({ method, path }) => `${method} ${path}`))
    expect(requests.map(({ body }) => body?.raw && JSON.parse(body.raw))).toEqual(
      catalogue.map((endpoint) => exampleBody(endpoint)),
    )
    expect(imported.auth.type).toBe('bearer')
  })
})

describe('the collection', () => {
  it('works: every request of it, sent in its order, is answered with 200', async () => {
    const { baseUrl, credentials } = await newClient()
    const made = await collection(baseUrl)
    const values = { bearerToken: credentials.api_key, appId: credentials.app_id }
    const answers: [string, number][] = []
    for (const request of requestsOf(made)) {
      const { url, init } = sent(made, request, values)
      answers.push([templateOf(request), (await fetch(url, init)).status])
    }
    expect(answers).toEqual(catalogue.map(({ method, path }) => [`${method} ${path}`, 200]))
  })

  it('asks for the two credentials only, and has a folder for each resource', async () => {
    const baseUrl = 'http://localhost:3000'
    const { item, variable } = await collection(baseUrl)
    const values = Object.fromEntries(variable.map(({ key, value }) => [key, value]))
    expect(values).toEqual({ baseUrl, bearerToken: '', appId: '' })
    const resources = new Set(catalogue.map(({ resource }) => resource.plural))
    expect(item.map(({ name }) => name.toLowerCase())).toEqual([...resources])
    const headers = requestsOf({ item }).flatMap(({ header }) => header.map(({ key }) => key.toLowerCase()))
    expect(new Set(headers)).toEqual(new Set(['x-app-id', 'content-type', 'accept']))
  })
})
