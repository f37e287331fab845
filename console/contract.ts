/** The resources of the API as its OpenAPI document states them. Everything that the console shows follows from here. */

/** A JSON schema, as far as the console reads it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly schema?: Schema
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}
type Content = Readonly<Record<'application/json', { readonly schema: Schema }>>

/** The OpenAPI document. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<'get' | 'post' | 'put', Operation>>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** A resource and what the API can do with it. */
export interface Resource {
  /** Its names in responses and addresses, such as `invoices` and `invoice`. */
  readonly plural: string
  readonly singular: string
  /** What the ids begin with that the service assigns. */
  readonly idPattern: RegExp
  readonly fields: Readonly<Record<string, Schema>>
  /** The names of what lists and single responses can embed. */
  readonly listIncludes: readonly string[]
  readonly includes: readonly string[]
  /** The reference by which its list can be filtered. */
  readonly filter: string | undefined
  readonly hasChangedSince: boolean
  /** The bodies of its creates and updates, if it has them. */
  readonly create: Schema | undefined
  readonly update: Schema | undefined
}

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Returns a schema with its references followed, one level deep, and without its alternative of null. */
export const resolved = ({ components }: Document, schema: Schema): Schema => {
  const { $ref, ...own } = schema
  if ($ref) return resolved({ components } as Document, { ...components.schemas[refName($ref)], ...own })
  const [only, ...others] = (own.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (!only || others.length > 0) return own
  const { anyOf: _, ...outer } = own
  return resolved({ components } as Document, { ...only, ...outer })
}

const parametersOf = ({ components }: Document, operation: Operation | undefined): Parameter[] =>
  (operation?.parameters ?? []).map((each) =>
    each.$ref ? (components.parameters[refName(each.$ref)] ?? each) : each,
  )

const includesOf = (parameters: readonly Parameter[]): readonly string[] =>
  parameters.find(({ name }) => name === 'include')?.schema?.items?.enum ?? []

const bodyOf = (document: Document, operation: Operation | undefined): Schema | undefined => {
  const schema = operation?.requestBody?.content['application/json'].schema
  return schema && resolved(document, schema)
}

/** Returns the properties of the data in a response: the entity, or the list of entities, under its name. */
const dataOf = (document: Document, operation: Operation): [string, Schema] => {
  const response = resolved(document, operation.responses['200']!.content['application/json'].schema)
  return Object.entries(response.properties?.data?.properties ?? {})[0]!
}

/** Returns the resources of a document, in its order. */
export const resourcesOf = (document: Document): Resource[] =>
  Object.entries(document.paths).flatMap(([path, { get, post }]): Resource[] => {
    const one = document.paths[`${path}/{id}`]
    if (!get || !one?.get) return []
    const [singular, schema] = dataOf(document, one.get)
    const { properties = {} } = resolved(document, schema)
    const parameters = parametersOf(document, get)
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, resolved(document, field)]),
    )
    return [
      {
        plural: refName(path),
        singular,
        idPattern: new RegExp(fields.id?.pattern ?? '^$'),
        fields,
        listIncludes: includesOf(parameters),
        includes: includesOf(parametersOf(document, one.get)),
        filter: parameters.find(({ name = '' }) => name.endsWith('_id'))?.name,
        hasChangedSince: parameters.some(({ name }) => name === 'changed_since'),
        create: bodyOf(document, post),
        update: bodyOf(document, one.put),
      },
    ]
  })

/** What a field holds, by which it is shown. */
export type Kind = 'money' | 'time' | 'number' | 'object' | 'list' | 'text'

/** Returns the kind of a field from its schema. */
export const kindOf = ({ type, description = '' }: Schema): Kind => {
  const types = [type ?? 'string'].flat()
  if (types.includes('array')) return 'list'
  if (types.includes('object')) return 'object'
  if (!types.includes('integer')) return 'text'
  if (description.includes('minor units')) return 'money'
  return description.includes('Seconds since the epoch') ? 'time' : 'number'
}
