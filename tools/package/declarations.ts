import { inspect } from 'node:util'
import { catalogue, includesOf } from '../../shared/catalogue.ts'
import { changeDetail, changeEvent } from '../../shared/contract/change-event.ts'
import { createMayUpdate, type Endpoint, type Include, withArticle } from '../../shared/contract/endpoint.ts'
import type { EndpointOptions } from '../../shared/contract/query.ts'
import type { ObjectSchema, Schema, Values } from '../../shared/contract/schema.ts'
import { requestComponent } from '../../shared/openapi/components.ts'
import { requestExamples } from '../../shared/openapi/examples.ts'
import { capitalised, pascalCase } from '../../shared/openapi/names.ts'
import { entitySchema, shownSchema } from '../../shared/openapi/response-schema.ts'
import {
  applied,
  bodyType,
  interfaceOf,
  isObject,
  nameOf,
  request,
  response,
  type Side,
  type Title,
} from './interface.ts'

/** Generates `client/generated.ts` from the contract: the API's types with the descriptions of all fields. */

type Example = Title['example']

const reading =
  ({ properties }: ObjectSchema): Example =>
  (name) => {
    const [first, ...others] = Object.keys(properties)
    const shown = `${first}, ${others.at(-1)}`
    return `const show = ({ ${shown} }: ${name}) => console.log(${shown})`
  }

const sending =
  (value: unknown): Example =>
  (name) =>
    `const body: ${name} = ${inspect(value, { depth: null, breakLength: Number.POSITIVE_INFINITY })}`

/** Returns the interfaces of the objects in a schema's lists; `sent` is an example of a request. */
const nested = (side: Side, { properties }: ObjectSchema, sent?: Values): string[] => {
  const interfaces: string[] = []
  for (const [name, { items, type }] of Object.entries(properties)) {
    const isResource = catalogue.some(({ resource }) => resource.plural === name)
    if (!items || !isObject(items) || type === 'object' || isResource) continue
    const example = sent ? sending((sent[name] as unknown[])[0]) : reading(items)
    const about = `One of the ${name.replace('_', ' ')}.`
    interfaces.push(interfaceOf(side, { name: nameOf(side, items), about, example }, items))
  }
  return interfaces
}

/** Returns the schema of a list without what includes embed into its objects. */
const withoutEmbedded = (schema: Schema): Schema => {
  const items = schema.items as ObjectSchema | undefined
  if (!items || items.component?.toString().startsWith('Embedded')) return schema
  const required = Object.entries(items.properties ?? {}).filter(([key]) => items.required.includes(key))
  return { ...schema, items: { ...items, properties: Object.fromEntries(required) } }
}

/** Returns the schema of what can be embedded into entities of an endpoint's resource. */
const embedsSchema = (endpoint: Endpoint): ObjectSchema => {
  const includes = includesOf(endpoint.resource)
  const { properties } = shownSchema(endpoint)
  const schemaOf = (name: string, include: Include): Schema => {
    if (include.from !== 'listed') return withoutEmbedded(properties[name]!)
    const items = properties[include.list]!.items as ObjectSchema
    return { ...items.properties[name], within: include.list }
  }
  const embedded = Object.entries(includes).map(([name, include]) => [name, schemaOf(name, include)])
  return { type: 'object', properties: Object.fromEntries(embedded), required: Object.keys(includes) }
}

const embedsOf = (endpoint: Endpoint): string[] => {
  const schema = embedsSchema(endpoint)
  const { name, plural } = endpoint.resource
  const [first] = Object.keys(schema.properties)
  const title = {
    name: `${pascalCase(name)}Embeds`,
    about: `What can be embedded into ${plural}.`,
    example: () =>
      `const { ${first} } = await billing.${plural}.retrieve('an id', { include: ['${first}'] })`,
  }
  return [interfaceOf(response, title, schema), ...nested(response, schema)]
}

const bodyInterfaces = (endpoint: Endpoint): string[] => {
  const { operation, resource, body } = endpoint
  if (!body) return []
  const schema = requestComponent(endpoint, body)
  const name = `${pascalCase(operation)}${pascalCase(resource.name)}`
  const [sent] = Object.values(requestExamples(endpoint)).map(({ value }) => value as Values)
  if (operation === 'create') {
    const about = `${capitalised(withArticle(resource))} to create.`
    return [bodyType({ name, about, example: sending(sent) }, schema), ...nested(request, schema, sent)]
  }
  const { id, ...properties } = schema.properties
  const { id: _, ...changes } = sent!
  const title = { name, about: `What to change of ${withArticle(resource)}.`, example: sending(changes) }
  return [interfaceOf(request, title, { ...schema, properties, required: [] })]
}

/** Returns the type argument for the options of a query; empty without options. */
const optionsType = (options: EndpointOptions): string => {
  const members = Object.entries(options).map(([name, { request }]) => {
    const words = request.enum?.map((word) => `'${word}'`).join(' | ')
    return `readonly ${name}?: ${words ?? request.type}`
  })
  return members.length > 0 ? `, { ${members.join('; ')} }` : ''
}

const memberOf = (endpoints: readonly Endpoint[]): string => {
  const { resource } = endpoints[0]!
  const name = pascalCase(resource.name)
  const entity = applied(name, entitySchema(resource))
  const operations = endpoints.map((endpoint) => {
    const { operation, filter, include, options, body } = endpoint
    const type = `${pascalCase(operation)}s`
    if (body)
      return `${type}<${entity}, ${applied(pascalCase(operation) + name, body)}${optionsType(options)}>`
    const filters = filter === undefined ? 'unknown' : `{ readonly ${filter}?: string | number }`
    const names = Object.keys(include)
    const some = names.length < Object.keys(includesOf(resource)).length
    const picked = names.map((included) => `'${included}'`).join(' | ')
    const embeds = (ids: string) => {
      const all = applied(`${name}Embeds`, embedsSchema(endpoint), ids)
      return some ? `Pick<${all}, ${picked}>` : all
    }
    const both = `${embeds('Partial<WithExternalId>')}, ${embeds('WithExternalId')}`
    return `${type}<${entity}, ${both}${operation === 'list' ? `, ${filters}` : ''}>`
  })
  const upserts = endpoints.some(createMayUpdate) ? [`Upserts<${entity}, Create${entity}>`] : []
  return `  readonly ${resource.plural}: ${[...operations, ...upserts].join(' & ')}\n`
}

/** Returns the client's operations for endpoints: an upsert is a create that may update. */
const operationsOf = (endpoints: readonly Endpoint[]): string[] => [
  ...new Set(endpoints.map(({ operation }) => operation)),
  ...(endpoints.some(createMayUpdate) ? ['upsert'] : []),
]

const resourceOf = (endpoints: readonly Endpoint[]): string => {
  const { name, plural } = endpoints[0]!.resource
  const operations = operationsOf(endpoints).map((operation) => `'${operation}'`)
  return `  ${plural}: { name: '${name}', operations: [${operations.join(', ')}] },\n`
}

const enumerations = (schemas: readonly Schema[]): string[] => {
  const found = new Map<string, string>()
  const visit = (schema: Schema): void => {
    for (const [field, { component, enum: words }] of Object.entries(schema.properties ?? {})) {
      const texts = words?.filter((word) => word !== null).map((word) => `'${word}'`) ?? []
      const example = `const ${field}: ${component} = ${texts[0]}`
      const doc = `/** The values of \`${field}\`. @example ${example} */\n`
      if (words) found.set(component as string, `${doc}export type ${component} = ${texts.join(' | ')}\n`)
    }
    for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])])
      visit(inner)
  }
  for (const schema of schemas) visit(schema)
  return [...found.values()]
}

/** Returns the module of the API's types and of the client's table of operations. */
export const declarations = (version: string): string => {
  const byResource = [...Map.groupBy(catalogue, ({ resource }) => resource)]
  const types = byResource.flatMap(([resource, endpoints]) => [
    interfaceOf(
      response,
      {
        name: pascalCase(resource.name),
        about: `${capitalised(withArticle(resource))}, as the service returns it.`,
        example: reading(entitySchema(resource)),
      },
      entitySchema(resource),
    ),
    ...endpoints.filter(({ operation }) => operation === 'list').flatMap(embedsOf),
    ...endpoints.flatMap(bodyInterfaces),
  ])
  const events = [changeDetail, changeEvent].map((schema) =>
    interfaceOf(
      response,
      { name: schema.component as string, about: schema.meaning as string, example: reading(schema) },
      schema,
    ),
  )
  const shown = [...byResource.map(([resource]) => entitySchema(resource)), changeDetail]
  return `// Printed from the contract by "npm run generate"; a test compares.
import type {
  AnyMetadata,
  Creates,
  Lists,
  Retrieves,
  Updates,
  Upserts,
  WithExternalId,
  Within,
} from './operations.ts'

${enumerations(shown).join('\n')}
${[...types, ...events].join('\n')}
/** The client: every resource with its operations. \`Metadata\` is the type of your customers' metadata. @example const nameOf = async (billing: Client) => (await billing.customers.retrieve(42)).name */
export interface Client<Metadata extends object = AnyMetadata> {
${byResource.map(([, endpoints]) => memberOf(endpoints)).join('')}}

/** The version of the package. @example console.log(VERSION) */
export const VERSION = '${version}'

/** The resources: the name of an entity, and the client's operations. @example const { name } = resources.products */
export const resources = {
${byResource.map(([, endpoints]) => resourceOf(endpoints)).join('')}} as const
`
}
