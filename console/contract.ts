import { resources } from '../client/index.ts'

/** The resources of the API as its OpenAPI document states them. Everything that the console shows follows from here. */

/** An entity of any resource. */
export interface Entity {
  readonly id: string
  readonly [field: string]: unknown
}

/** A JSON schema, as far as the console reads it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Fields
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Schema>>

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

/** The OpenAPI document. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A resource and what the API can do with it. */
export interface Resource {
  /** Its names in responses and addresses, such as `invoices` and `invoice`. */
  readonly plural: string
  readonly singular: string
  /** What the ids look like that the service assigns. */
  readonly idPattern: RegExp
  readonly fields: Fields
  /** The names of what lists and single responses can embed. */
  readonly listIncludes: readonly string[]
  readonly includes: readonly string[]
  /** The reference by which its list can be filtered. */
  readonly filter: string | undefined
  /** The bodies of its creates and updates, if it has them. */
  readonly create: Schema | undefined
  readonly update: Schema | undefined
}

type Node = Readonly<Record<string, unknown>>

/**
 * Returns a part of a document with what its references name in their place, and of alternatives the first that is not null.
 * The document's references have no cycle.
 */
const resolved = (part: unknown, document: Document): unknown => {
  if (Array.isArray(part)) return part.map((each) => resolved(each, document))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, anyOf, ...own } = part as { $ref?: string; anyOf?: readonly Node[] } & Node
  const named = $ref?.split('/').slice(1)
  const target = named
    ? named.reduce((at: unknown, name) => (at as Node)[name], document)
    : anyOf?.find(({ type }) => type !== 'null')
  const entries = Object.entries(own).map(([name, each]) => [name, resolved(each, document)])
  return Object.assign({}, resolved(target, document), Object.fromEntries(entries))
}

const schemaOf = ({ content }: Content): Schema => content['application/json'].schema

const includesOf = ({ parameters }: Operation): readonly string[] =>
  parameters.find(({ name }) => name === 'include')?.schema.items?.enum ?? []

/** Returns the resources of a document. */
export const resourcesOf = (document: Document): Resource[] =>
  Object.entries(resources).map(([plural, { name: singular }]) => {
    const path = `/api/${plural}`
    const all = resolved(document.paths[path], document) as Record<'get' | 'post', Operation | undefined>
    const one = resolved(document.paths[`${path}/{id}`], document) as Record<
      'get' | 'put',
      Operation | undefined
    >
    const [list, retrieve] = [all.get!, one.get!]
    const bodyOf = (body: Content | undefined) => body && schemaOf(body)
    const fields = schemaOf(retrieve.responses['200']!).properties!.data!.properties![singular]!.properties!
    return {
      plural,
      singular,
      idPattern: new RegExp(fields.id!.pattern!),
      fields,
      listIncludes: includesOf(list),
      includes: includesOf(retrieve),
      filter: list.parameters.find(({ name }) => name.endsWith('_id'))?.name,
      create: bodyOf(all.post?.requestBody),
      update: bodyOf(one.put?.requestBody),
    }
  })

/** What a field holds, by which it is shown. */
export type Kind = 'money' | 'time' | 'number' | 'object' | 'list' | 'boolean' | 'text'

/** Returns the kind of a field from its schema. */
export const kindOf = ({ type, description = '' }: Schema): Kind => {
  const types = [type ?? 'string'].flat()
  if (types.includes('array')) return 'list'
  if (types.includes('object')) return 'object'
  if (types.includes('boolean')) return 'boolean'
  if (!types.includes('integer')) return 'text'
  if (description.includes('minor units')) return 'money'
  return description.includes('Seconds since the epoch') ? 'time' : 'number'
}
