import { resources } from '../../client/index.ts'
import { copiedIncludes } from '../records/entities.ts'

/**
 * The resources of the API as its OpenAPI document states them. The lists, tables and forms of the console are derived from
 * them.
 */

export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  /** The unit of an integer: minor units of a currency, or seconds since the epoch. */
  readonly 'x-kind'?: 'money' | 'time'
  readonly items?: FieldSchema
  readonly required?: readonly string[]
  readonly properties?: FieldSchemas
}

export type FieldSchemas = Readonly<Record<string, FieldSchema>>

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: FieldSchema } }
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: FieldSchema }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

type Operations = Readonly<Record<'get' | 'post' | 'put', Operation | undefined>>

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

type JsonObject = Readonly<Record<string, unknown>>

/**
 * A part with each `$ref` replaced by what it refers to, and each `anyOf` by its first alternative that is not null. The
 * references of the document have no cycle.
 */
const resolved = (part: unknown, document: OpenApiDocument): unknown => {
  if (Array.isArray(part)) return part.map((item) => resolved(item, document))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, anyOf, ...fields } = part as { $ref?: string; anyOf?: readonly JsonObject[] } & JsonObject
  const pointerSegments = $ref?.split('/').slice(1)
  const target = pointerSegments
    ? pointerSegments.reduce((node: unknown, segment) => (node as JsonObject)[segment], document)
    : anyOf?.find(({ type }) => type !== 'null')
  const entries = Object.entries(fields).map(([name, value]) => [name, resolved(value, document)])
  return Object.assign({}, resolved(target, document), Object.fromEntries(entries))
}

const schemaOf = (body: Content | undefined): FieldSchema | undefined =>
  body?.content['application/json'].schema

const includesOf = ({ parameters }: Operation): readonly string[] =>
  parameters.find(({ name }) => name === 'include')?.schema.items?.enum ?? []

export const resourcesOf = (document: OpenApiDocument) =>
  Object.entries(resources).map(([plural, { name: singular }]) => {
    const path = `/api/${plural}`
    const listOperations = resolved(document.paths[path], document) as Operations
    const entityOperations = resolved(document.paths[`${path}/{id}`], document) as Operations
    const fields = schemaOf(entityOperations.get!.responses['200'])!.properties!.data!.properties![singular]!
      .properties!
    return {
      /** Its names in responses and addresses, such as `invoices` and `invoice`. */
      plural,
      singular,
      idPattern: new RegExp(fields.id!.pattern!),
      fields,
      listIncludes: includesOf(listOperations.get!),
      includes: includesOf(entityOperations.get!),
      /** The parameter that limits its list to the entities of another one, such as `customer_id`; undefined if it has none. */
      filter: listOperations.get!.parameters.find(({ name }) => name.endsWith('_id'))?.name,
      /** The schemas of the bodies of a create and an update; undefined if the API does not have the operation. */
      create: schemaOf(listOperations.post?.requestBody),
      update: schemaOf(entityOperations.put?.requestBody),
    }
  })

export type DocumentedResource = ReturnType<typeof resourcesOf>[number]

const namesOf = (fields: FieldSchemas): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { properties, items }]) => [
      name,
      namesOf(properties ?? items?.properties ?? {}),
    ]),
  )

/**
 * The fields of a copy of the lists, and its includes, as text. A copy that was read with another text may lack a field of
 * entities that never change again.
 */
export const copiedFields = (resourcesRead: readonly DocumentedResource[]): string =>
  JSON.stringify([copiedIncludes, resourcesRead.map(({ plural, fields }) => [plural, namesOf(fields)])])

export const kindOf = ({ type, 'x-kind': integerKind }: FieldSchema) => {
  const types = [type ?? 'string'].flat()
  if (types.includes('array')) return 'list'
  if (types.includes('object')) return 'object'
  if (types.includes('boolean')) return 'boolean'
  return types.includes('integer') ? (integerKind ?? 'number') : 'text'
}
