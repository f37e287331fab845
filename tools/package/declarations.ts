import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { ObjectSchema, Schema } from '../../shared/contract/schema.ts'
import { requestSchema } from '../../shared/openapi/components.ts'
import { entitySchema, shownSchema } from '../../shared/openapi/response-schema.ts'

/** The API's types as TypeScript, printed from the contract with the words of every field: `client/generated.ts`. */

/** Requests take the words known today; answers may hold more of them tomorrow. */
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

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const an = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
const isObject = (schema: Schema): schema is ObjectSchema => schema.properties !== undefined

/** The name of an object's interface: its component without the ending that tells requests apart. */
const nameOf = (side: Side, { component }: Schema): string => {
  const [, embedded] = /^Embedded(.*)/.exec(component as string) ?? []
  if (embedded) return `${embedded} & { external_id?: string }`
  return side.prefix + (component as string).replace(/Request$/, '')
}

const itemType = (side: Side, items: Schema): string => {
  const type = typeOf(side, items)
  return type.includes(' ') ? `(${type})` : type
}

const typeOf = (side: Side, schema: Schema): string => {
  const types = [schema.type ?? []].flat()
  if (schema.enum) return `${schema.component}${side.open}${types.includes('null') ? ' | null' : ''}`
  if (isObject(schema)) return nameOf(side, schema)
  const texts = types.map((type) =>
    type === 'array' ? `${side.list}${itemType(side, schema.items ?? {})}[]` : primitives[type],
  )
  return [...new Set(texts)].join(' | ')
}

const sentence = (text: string): string => `${pascal(text)}.`

const docOf = ({ description, expects }: Schema): string => {
  const words = [description, expects && sentence(expects)].filter(Boolean)
  return words.length > 0 ? `  /** ${words.join(' ')} */\n` : ''
}

/** An interface; of what is optional, undefined is taken as absent. */
const interfaceOf = (side: Side, [name, about]: readonly [string, string], schema: ObjectSchema): string => {
  const members = Object.entries(schema.properties).map(([key, property]) => {
    const isRequired = schema.required.includes(key)
    const type = typeOf(side, property)
    return `${docOf(property)}  ${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}\n`
  })
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`
}

/** The interfaces of the objects in a schema's lists. */
const nested = (side: Side, { properties }: ObjectSchema): string[] =>
  Object.entries(properties).flatMap(([name, { items, type }]) =>
    items &&
    isObject(items) &&
    type !== 'object' &&
    !catalogue.some(({ resource }) => resource.plural === name)
      ? [interfaceOf(side, [nameOf(side, items), `One of the ${name.replace('_', ' ')}.`], items)]
      : [],
  )

const embedsOf = (endpoint: Endpoint): string[] => {
  const names = Object.keys(endpoint.include)
  const { properties } = shownSchema(endpoint)
  const embedded = names.map((name) => [name, properties[name] as Schema] as const)
  const schema = { type: 'object', properties: Object.fromEntries(embedded), required: names } as const
  const { name, plural } = endpoint.resource
  return [
    interfaceOf(response, [`${pascal(name)}Embeds`, `What can be embedded into ${plural}.`], schema),
    ...nested(response, schema),
  ]
}

const bodyOf = (endpoint: Endpoint): string[] => {
  const { operation, resource, body } = endpoint
  if (!body) return []
  const schema = requestSchema(endpoint, body)
  const name = `${pascal(operation)}${pascal(resource.name)}`
  if (operation === 'create')
    return [
      interfaceOf(request, [name, `${pascal(an(resource.name))} to create.`], schema),
      ...nested(request, schema),
    ]
  const { id, ...properties } = schema.properties
  return [
    interfaceOf(request, [name, `What to change of ${an(resource.name)}.`], {
      ...schema,
      properties,
      required: [],
    }),
  ]
}

const memberOf = (endpoints: readonly Endpoint[]): string => {
  const { resource } = endpoints[0]!
  const entity = pascal(resource.name)
  const operations = endpoints.map(({ operation, filter }) => {
    const filters = filter === undefined ? '' : `, { readonly ${filter}?: string | number }`
    if (operation === 'list' || operation === 'retrieve')
      return `${pascal(operation)}s<${entity}, ${entity}Embeds${filters}>`
    return `${pascal(operation)}s<${entity}, ${pascal(operation)}${entity}>`
  })
  return `  readonly ${resource.plural}: ${operations.join(' & ')}\n`
}

const operationsOf = (endpoints: readonly Endpoint[]): string => {
  const { name, plural } = endpoints[0]!.resource
  return `  ${plural}: { name: '${name}', operations: [${endpoints.map(({ operation }) => `'${operation}'`).join(', ')}] },\n`
}

const enumerations = (schemas: readonly Schema[]): string[] => {
  const found = new Map<string, string>()
  const visit = (schema: Schema): void => {
    const words = schema.enum?.filter((word) => word !== null).map((word) => `'${word}'`)
    if (words) found.set(schema.component as string, words.join(' | '))
    for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])])
      visit(inner)
  }
  for (const schema of schemas) visit(schema)
  return [...found].map(([name, words]) => `export type ${name} = ${words}\n`)
}

/** The text of a module with every type of the API that the client exports. */
export const declarations = (): string => {
  const byResource = [...Map.groupBy(catalogue, ({ resource }) => resource)]
  const types = byResource.flatMap(([resource, endpoints]) => [
    interfaceOf(
      response,
      [pascal(resource.name), `${pascal(an(resource.name))}, as the service returns it.`],
      entitySchema(resource),
    ),
    ...endpoints.filter(({ operation }) => operation === 'list').flatMap(embedsOf),
    ...endpoints.flatMap(bodyOf),
  ])
  const shown = byResource.map(([resource]) => entitySchema(resource))
  return `// Printed from the contract by "npm run generate"; a test compares.
import type { Creates, Lists, Retrieves, Updates } from './operations.ts'

${enumerations(shown).join('\n')}
${types.join('\n')}
/** The client: every resource with its operations. */
export interface Client {
${byResource.map(([, endpoints]) => memberOf(endpoints)).join('')}}

/** The operations of every resource, from which the client is made. */
export const resources = {
${byResource.map(([, endpoints]) => operationsOf(endpoints)).join('')}} as const
`
}
