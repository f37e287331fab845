import { inspect } from 'node:util'
import { catalogue, includesOf } from '../../shared/catalogue.ts'
import { changeDetail, changeEvent } from '../../shared/contract/change-event.ts'
import { createMayUpdate, type Endpoint, withArticle } from '../../shared/contract/endpoint.ts'
import type { Include } from '../../shared/contract/include.ts'
import type { EndpointOptions } from '../../shared/contract/query.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import type { ObjectSchema, Schema, Values } from '../../shared/contract/schema.ts'
import { requestComponent } from '../../shared/openapi/components.ts'
import { requestExamples } from '../../shared/openapi/examples.ts'
import { pascalCase } from '../../shared/openapi/names.ts'
import { entitySchema, shownSchema } from '../../shared/openapi/response-schema.ts'
import { capitalised } from '../../shared/text/capitalised.ts'
import {
  bodyType,
  interfaceOf,
  isObject,
  objectType,
  request,
  response,
  type Side,
  type TypeDescription,
  unionOf,
  withArguments,
} from './type-source.ts'

/** Prints `client/generated.ts` from the contract: the API's types with the descriptions of all fields. */

type Example = TypeDescription['example']

const responseExample =
  ({ properties }: ObjectSchema): Example =>
  (type) => {
    const [first, ...others] = Object.keys(properties)
    const names = `${first}, ${others.at(-1)}`
    return `const show = ({ ${names} }: ${type}) => console.log(${names})`
  }

const requestExample =
  (body: unknown): Example =>
  (type) =>
    `const body: ${type} = ${inspect(body, { depth: null, breakLength: Number.POSITIVE_INFINITY })}`

/** `body` is an example of a request. */
const listItemInterfaces = (side: Side, { properties }: ObjectSchema, body?: Values): string[] => {
  const interfaces: string[] = []
  for (const [name, { items, type }] of Object.entries(properties)) {
    const isResource = catalogue.some(({ resource }) => resource.plural === name)
    if (!items || !isObject(items) || type === 'object' || isResource) continue
    const example = body ? requestExample((body[name] as unknown[])[0]) : responseExample(items)
    const about = `One of the ${name.replace('_', ' ')}.`
    interfaces.push(interfaceOf(side, { name: objectType(side, items), about, example }, items))
  }
  return interfaces
}

/** Without embedded properties. */
const withoutEmbedded = (schema: Schema): Schema => {
  const items = schema.items as ObjectSchema | undefined
  if (!items || items.component?.toString().startsWith('Embedded')) return schema
  const required = Object.entries(items.properties ?? {}).filter(([name]) => items.required.includes(name))
  return { ...schema, items: { ...items, properties: Object.fromEntries(required) } }
}

const embedsSchema = (endpoint: Endpoint): ObjectSchema => {
  const includes = includesOf(endpoint.resource)
  const { properties } = shownSchema(endpoint)
  const embeddedSchema = (name: string, include: Include): Schema => {
    const list = include.path?.within
    if (list === undefined) return withoutEmbedded(properties[name]!)
    const items = properties[list]!.items as ObjectSchema
    return { ...items.properties[name], within: list }
  }
  const embedded = Object.entries(includes).map(([name, include]) => [name, embeddedSchema(name, include)])
  return { type: 'object', properties: Object.fromEntries(embedded), required: Object.keys(includes) }
}

const embedsInterfaces = (list: Endpoint): string[] => {
  const schema = embedsSchema(list)
  const { name, plural } = list.resource
  const [first] = Object.keys(schema.properties)
  const description = {
    name: `${pascalCase(name)}Embeds`,
    about: `The values that can be embedded into ${plural}.`,
    example: () =>
      `const { ${first} } = await billing.${plural}.retrieve('an id', { include: ['${first}'] })`,
  }
  return [interfaceOf(response, description, schema), ...listItemInterfaces(response, schema)]
}

const bodyTypes = (endpoint: Endpoint): string[] => {
  const { operation, resource, body } = endpoint
  if (!body) return []
  const schema = requestComponent(endpoint, body)
  const name = `${pascalCase(operation)}${pascalCase(resource.name)}`
  const exampleBody = Object.values(requestExamples(endpoint))[0]!.value as Values
  if (operation === 'create') {
    const about = `${capitalised(withArticle(resource))} to create.`
    const description = { name, about, example: requestExample(exampleBody) }
    return [bodyType(description, schema), ...listItemInterfaces(request, schema, exampleBody)]
  }
  const { id, ...properties } = schema.properties
  const { id: _, ...exampleChanges } = exampleBody
  const about = `The fields of ${withArticle(resource)} to change.`
  const description = { name, about, example: requestExample(exampleChanges) }
  return [interfaceOf(request, description, { ...schema, properties, required: [] })]
}

/** After a comma; empty without options. */
const optionsArgument = (options: EndpointOptions): string => {
  const members = Object.entries(options).map(
    ([name, { request: schema }]) => `readonly ${name}?: ${schema.enum ? unionOf(schema.enum) : schema.type}`,
  )
  return members.length > 0 ? `, { ${members.join('; ')} }` : ''
}

/** `ids` is the type of the ids in the embedded entities. */
const embedsType = (endpoint: Endpoint, ids: string): string => {
  const { resource, include } = endpoint
  const all = withArguments(`${pascalCase(resource.name)}Embeds`, embedsSchema(endpoint), ids)
  const names = Object.keys(include)
  return names.length < Object.keys(includesOf(resource)).length ? `Pick<${all}, ${unionOf(names)}>` : all
}

const operationType = (endpoint: Endpoint): string => {
  const { resource, operation, returnsPage, filter, options, body } = endpoint
  const name = pascalCase(resource.name)
  const entity = withArguments(name, entitySchema(resource))
  const type = `${pascalCase(operation)}s`
  if (body) {
    const bodyName = withArguments(pascalCase(operation) + name, body)
    return `${type}<${entity}, ${bodyName}${optionsArgument(options)}>`
  }
  const embeds = `${embedsType(endpoint, 'Partial<WithExternalId>')}, ${embedsType(endpoint, 'WithExternalId')}`
  if (!returnsPage) return `${type}<${entity}, ${embeds}>`
  const filters = filter === undefined ? 'unknown' : `{ readonly ${filter}?: string | number }`
  return `${type}<${entity}, ${embeds}, ${filters}>`
}

const clientMember = (resource: Resource, endpoints: readonly Endpoint[]): string => {
  const types = endpoints.map(operationType)
  const entity = withArguments(pascalCase(resource.name), entitySchema(resource))
  if (endpoints.some(createMayUpdate)) types.push(`Upserts<${entity}, Create${entity}>`)
  return `  readonly ${resource.plural}: ${types.join(' & ')}\n`
}

/** An upsert is a create that may update. */
const resourceEntry = ({ name, plural }: Resource, endpoints: readonly Endpoint[]): string => {
  const operations = new Set<string>(endpoints.map(({ operation }) => operation))
  if (endpoints.some(createMayUpdate)) operations.add('upsert')
  const texts = [...operations].map((operation) => `'${operation}'`)
  return `  ${plural}: { name: '${name}', operations: [${texts.join(', ')}] },\n`
}

/** At any depth, each once. */
const enumerationTypes = (schemas: readonly Schema[]): string[] => {
  const types = new Map<string, string>()
  const visit = (schema: Schema): void => {
    const properties = Object.entries(schema.properties ?? {})
    for (const [field, { component, enum: values }] of properties) {
      if (!values) continue
      const example = `const ${field}: ${component} = ${unionOf(values.slice(0, 1))}`
      const comment = `/** The values of \`${field}\`. @example ${example} */\n`
      types.set(component as string, `${comment}export type ${component} = ${unionOf(values)}\n`)
    }
    for (const [, property] of properties) visit(property)
    if (schema.items) visit(schema.items)
  }
  for (const schema of schemas) visit(schema)
  return [...types.values()]
}

const resourceTypes = (resource: Resource, endpoints: readonly Endpoint[]): string[] => {
  const schema = entitySchema(resource)
  const description = {
    name: pascalCase(resource.name),
    about: `${capitalised(withArticle(resource))}, as the service returns it.`,
    example: responseExample(schema),
  }
  return [
    interfaceOf(response, description, schema),
    ...endpoints.filter(({ returnsPage }) => returnsPage).flatMap(embedsInterfaces),
    ...endpoints.flatMap(bodyTypes),
  ]
}

const eventInterface = (schema: ObjectSchema): string => {
  const { component, meaning } = schema
  const description = {
    name: component as string,
    about: meaning as string,
    example: responseExample(schema),
  }
  return interfaceOf(response, description, schema)
}

export const clientSource = (version: string): string => {
  const byResource = [...Map.groupBy(catalogue, ({ resource }) => resource)]
  const entitySchemas = byResource.map(([resource]) => entitySchema(resource))
  const types = [
    ...byResource.flatMap(([resource, endpoints]) => resourceTypes(resource, endpoints)),
    ...[changeDetail, changeEvent].map(eventInterface),
  ]
  return `// Generated from the contract by "npm run generate". A test checks that it is up to date.
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

${enumerationTypes([...entitySchemas, changeDetail]).join('\n')}
${types.join('\n')}
/**
 * The client: every resource with its operations. \`Metadata\` is the type of your customers' metadata.
 * @example const nameOf = async (billing: Client) => (await billing.customers.retrieve(42)).name
 */
export interface Client<Metadata extends object = AnyMetadata> {
${byResource.map(([resource, endpoints]) => clientMember(resource, endpoints)).join('')}}

/** The version of the package. @example console.log(VERSION) */
export const VERSION = '${version}'

/**
 * The resources: the name of an entity, and the client's operations.
 * @example const { name } = resources.products
 */
export const resources = {
${byResource.map(([resource, endpoints]) => resourceEntry(resource, endpoints)).join('')}} as const
`
}
