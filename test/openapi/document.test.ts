import { catalogue } from '../../shared/catalogue.ts'
import {
  documentedEvent,
  documentedOperation,
  resolvedResponse,
  theDocument,
  validatorOfEvent,
  validatorOfMedia,
} from '../support/requests/openapi-document.ts'

type Node = Readonly<Record<string, unknown>>

const nodes = (value: unknown, path = '#'): [string, Node][] =>
  typeof value === 'object' && value !== null
    ? [
        [path, value as Node],
        ...Object.entries(value).flatMap(([key, child]) =>
          nodes(child, `${path}/${key.replaceAll('/', '~1')}`),
        ),
      ]
    : []

const at = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value: unknown, key) => (value as Node | undefined)?.[key.replaceAll('~1', '/')], theDocument())

describe('the document', () => {
  it.each(catalogue)('has examples of $id that are valid by its schemas', ({ method, path }) => {
    const { requestBody, responses } = documentedOperation(method, path)
    const bodies = [requestBody, ...Object.values(responses).map(resolvedResponse)].flatMap(
      (body) => body ?? [],
    )
    expect(bodies.length).toBe(Object.keys(responses).length + (requestBody ? 1 : 0))
    for (const { content } of bodies) {
      const media = content['application/json']
      const validate = validatorOfMedia(media)
      expect(Object.keys(media.examples).length).toBeGreaterThan(0)
      for (const { value } of Object.values(media.examples)) {
        validate(value)
        expect(validate.errors).toBeNull()
      }
    }
  })

  it('has an example of the event of a change that is valid by its schema', () => {
    const { examples } = documentedEvent()
    for (const { value } of Object.values(examples))
      expect(validatorOfEvent()(value) || validatorOfEvent().errors).toBe(true)
  })

  it.each(catalogue)('describes everything that $id can embed', ({ method, path, resource, include }) => {
    const { schema } = documentedOperation(method, path).responses[200]!.content['application/json']
    const { properties } = at(schema.$ref) as { properties: { data: { properties: Record<string, Node> } } }
    const { [resource.name]: one, [resource.plural]: many } = properties.data.properties
    const shown = String(one?.$ref ?? (many?.items as Node | undefined)?.$ref)
    const missing = Object.entries(include).filter(([name, how]) => {
      const object = how.from === 'listed' ? at(`${shown}/properties/${how.list}/items/$ref`) : shown
      return at(`${object}/properties/${name}`) === undefined
    })
    expect(missing).toEqual([])
  })

  it('has only standard keywords and formats', () => {
    const own = nodes(theDocument().components.schemas).filter(
      ([, node]) => 'expects' in node || node.format === 'currency' || node.format === 'billing-date',
    )
    expect(own).toEqual([])
  })

  it('describes every schema and field', () => {
    const schemas = theDocument().components.schemas ?? {}
    const entities = catalogue.flatMap(({ resource }) => [resource.name, resource.plural])
    const known = new Set(['data', 'pagination', ...entities])
    const fields = nodes(schemas)
      .filter(([path]) => !/\/(if|then)/.test(path))
      .flatMap(([path, { properties }]) =>
        Object.entries(properties ?? {}).flatMap(([field, schema]) =>
          known.has(field) ? [] : [[`${path}/${field}`, schema as Node] as const],
        ),
      )
    const silent = [...Object.entries(schemas), ...fields].filter(([, { description }]) => !description)
    expect(silent.map(([name]) => name)).toEqual([])
  })
})
