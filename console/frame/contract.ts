import { resources } from '../../client/index.ts'

/** The resources of the API as its OpenAPI document states them. Everything that the console shows follows from here. */

/** A JSON schema, as far as the console reads it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  /** What an integer counts: minor units of a currency, or seconds since the epoch. */
  readonly 'x-kind'?: 'money' | 'time'
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Fields
}

export type Fields = Readonly<Record<string, Schema>>

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

type Operations = Readonly<Record<'get' | 'post' | 'put', Operation | undefined>>

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
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

const schemaOf = (body: Content | undefined): Schema | undefined => body?.content['application/json'].schema

const includesOf = ({ parameters }: Operation): readonly string[] =>
  parameters.find(({ name }) => name === 'include')?.schema.items?.enum ?? []

/** Returns the resources of a document, and what the API can do with each. */
export const resourcesOf = (document: Document) =>
  Object.entries(resources).map(([plural, { name: singular }]) => {
    const path = `/api/${plural}`
    const all = resolved(document.paths[path], document) as Operations
    const one = resolved(document.paths[`${path}/{id}`], document) as Operations
    const fields = schemaOf(one.get!.responses['200'])!.properties!.data!.properties![singular]!.properties!
    return {
      /** Its names in responses and addresses, such as `invoices` and `invoice`. */
      plural,
      singular,
      idPattern: new RegExp(fields.id!.pattern!),
      fields,
      /** The names of what lists and single responses can embed. */
      listIncludes: includesOf(all.get!),
      includes: includesOf(one.get!),
      filter: all.get!.parameters.find(({ name }) => name.endsWith('_id'))?.name,
      create: schemaOf(all.post?.requestBody),
      update: schemaOf(one.put?.requestBody),
    }
  })

export type Resource = ReturnType<typeof resourcesOf>[number]

/** Returns what a field holds, by which it is shown. */
export const kindOf = ({ type, 'x-kind': counted }: Schema) => {
  const types = [type ?? 'string'].flat()
  if (types.includes('array')) return 'list'
  if (types.includes('object')) return 'object'
  if (types.includes('boolean')) return 'boolean'
  return types.includes('integer') ? (counted ?? 'number') : 'text'
}
