import { catalogue } from '../../shared/api/catalogue.ts'
import type { Endpoint, Include } from '../../shared/contract/endpoint.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import type { ObjectSchema, Properties, Schema } from '../../shared/contract/schema.ts'

/** The API's types as TypeScript text, printed from the contract: what `client/types.ts` derives, written out. */

/** Requests take the values known today; responses may hold more of them tomorrow. */
interface Side {
  readonly prefix: string
  readonly open: string
  readonly list: string
}
const response: Side = { prefix: '', open: ' | (string & {})', list: '' }
const request: Side = { prefix: 'Create', open: '', list: 'readonly ' }

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: '{ [key: string]: unknown }',
}

const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
const an = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
const singular = (name: string): string => name.replace(/s$/, '')
const isObject = (schema: Schema | undefined): schema is ObjectSchema => schema?.properties !== undefined

const itemType = (side: Side, name: string, items: Schema): string =>
  isObject(items) ? side.prefix + pascal(singular(name)) : `(${typeOf(side, name, items)})`

const typeOf = (side: Side, name: string, schema: Schema): string => {
  const types = [schema.type ?? []].flat()
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null).map((value) => `'${value}'`)
    return values.join(' | ') + side.open + (types.includes('null') ? ' | null' : '')
  }
  const texts = types.map((type) =>
    type === 'array' ? `${side.list}${itemType(side, name, schema.items ?? {})}[]` : primitives[type],
  )
  return [...new Set(texts)].join(' | ')
}

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`

interface Members {
  readonly properties: Properties
  readonly required: readonly string[]
}

const interfaceOf = (
  side: Side,
  [name, about]: readonly [string, string],
  { properties, required }: Members,
): string => {
  const members = Object.entries(properties).map(([key, schema]) => {
    const must = required.includes(key)
    const doc = schema.expects ? `  /** ${sentence(schema.expects)} */\n` : ''
    return `${doc}  ${key}${must ? '' : '?'}: ${typeOf(side, key, schema)}${must ? '' : ' | undefined'}\n`
  })
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`
}

/** The interfaces of the objects in lists of a schema. */
const nested = (side: Side, properties: Properties): string[] =>
  Object.entries(properties).flatMap(([name, { items }]) =>
    isObject(items)
      ? [
          interfaceOf(
            side,
            [side.prefix + pascal(singular(name)), `One of the ${name.replace('_', ' ')}.`],
            items,
          ),
        ]
      : [],
  )

const entityOf = ({ name, fields }: Resource): string => {
  const properties = { id: { type: 'string', expects: `the service's id of the ${name}` }, ...fields }
  return interfaceOf(response, [pascal(name), sentence(`${an(name)}, as the service returns it`)], {
    properties,
    required: Object.keys(properties),
  })
}

const embedOf = ([name, include]: readonly [string, Include]): string => {
  if (include.from === 'kept') return `  ${name}: ${typeOf(response, name, include.schema)}\n`
  return `  ${name}: ${pascal(include.resource.name)}${include.from === 'children' ? '[]' : ''}\n`
}

const embedsOf = ({ resource, include }: Endpoint): string[] => {
  if (Object.keys(include).length === 0) return []
  const kept = Object.entries(include).flatMap(([name, how]) =>
    how.from === 'kept' ? [[name, how.schema] as const] : [],
  )
  return [
    `/** What can be embedded into ${resource.plural}. */
export interface ${pascal(resource.name)}Embeds {\n${Object.entries(include).map(embedOf).join('')}}\n`,
    ...nested(response, Object.fromEntries(kept)),
  ]
}

const bodiesOf = ({ operation, resource, body }: Endpoint): string[] => {
  if (!body) return []
  const { id, ...others } = body.properties
  const name = `${pascal(operation)}${pascal(resource.name)}`
  return operation === 'create'
    ? [
        interfaceOf(request, [name, sentence(`${an(resource.name)} to create`)], body),
        ...nested(request, body.properties),
      ]
    : [
        interfaceOf(request, [name, `What to change of ${an(resource.name)}.`], {
          properties: others,
          required: [],
        }),
      ]
}

const memberOf = (endpoints: readonly Endpoint[]): string => {
  const { resource } = endpoints[0]!
  const entity = pascal(resource.name)
  const operations = endpoints.map(({ operation, include }) => {
    const embeds = Object.keys(include).length > 0 ? `${entity}Embeds` : 'NoEmbeds'
    if (operation === 'list' || operation === 'retrieve') return `${pascal(operation)}s<${entity}, ${embeds}>`
    return `${pascal(operation)}s<${entity}, ${pascal(operation)}${entity}>`
  })
  return `  readonly ${resource.plural}: ${operations.join(' & ')}\n`
}

/** The text of a module with every type that `client/types.ts` exports. */
export const declarations = (): string => {
  const byResource = [...Map.groupBy(catalogue, ({ resource }) => resource)]
  const types = byResource.flatMap(([resource, endpoints]) => [
    entityOf(resource),
    ...endpoints.filter(({ operation }) => operation === 'retrieve').flatMap(embedsOf),
    ...endpoints.flatMap(bodiesOf),
  ])
  return `import type { Creates, Lists, NoEmbeds, Retrieves, Updates } from './operations.ts'

${types.join('\n')}
/** The client: every resource with its operations. */
export interface Client {
${byResource.map(([, endpoints]) => memberOf(endpoints)).join('')}}
`
}
