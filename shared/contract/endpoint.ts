import { type About, about, type Example } from './about.ts'
import type { Deployable } from './deployable.ts'
import type { RequestValues } from './field.ts'
import { requestSchema } from './fields.ts'
import { externalIdSchema } from './identifiers.ts'
import {
  type EndpointOption,
  type EndpointOptions,
  filterParameter,
  includeParameter,
  optionParameters,
  pageParameters,
  type QueryParameter,
} from './query.ts'
import type { Resource } from './resource.ts'
import { type ObjectSchema, objectSchema } from './schema.ts'

/**
 * The source of an embedded value: a hidden field, the client's own ids, the entities that a field refers to, the entities that
 * the objects of a list refer to, or the children of this entity.
 */
export type Include =
  | { readonly from: 'field'; readonly field: string }
  | { readonly from: 'external_id' }
  | {
      readonly from: 'reference'
      readonly field: string
      readonly about: About | undefined
    }
  | {
      readonly from: 'listed'
      /** The field with the list. It is an include too, and must be requested with this one. Each object embeds its own entity. */
      readonly list: string
      readonly field: string
      /** The resource of the entity's parent, which the entity embeds. */
      readonly parent: string
      readonly about: About | undefined
    }
  | {
      readonly from: 'children'
      /** The resource of the children, and their field that refers to this entity. */
      readonly target: string
      readonly field: string
      readonly about: About | undefined
    }
/** An include whose entities are embedded in the objects of a list. */
export type ListedInclude = Extract<Include, { readonly from: 'listed' }>
export type Includes = Readonly<Record<string, Include>>

export type Operation = 'list' | 'create' | 'retrieve' | 'update'

const commonIncludes: Includes = { external_id: { from: 'external_id' } }

/** An operation of the API. Route, validation, response, permissions and documents are derived from it. */
export interface Endpoint<
  R extends Resource = Resource,
  O extends Operation = Operation,
  Os extends EndpointOptions = EndpointOptions,
> extends Deployable {
  readonly operation: O
  readonly about: About | undefined
  readonly resource: R
  readonly include: Includes
  /** The field that can filter the list: the reference to the parent. */
  readonly filter: string | undefined
  readonly options: Os
  readonly parameters: readonly QueryParameter[]
  readonly body: ObjectSchema | undefined
  /** Whether a request without a body is valid and has its own meaning. */
  readonly bodyMayBeAbsent: boolean
  readonly examples: Readonly<Record<string, Example | undefined>>
}

/** The body that an endpoint accepts. In an update, only the id is required. */
export type BodyOf<E extends Endpoint> =
  E extends Endpoint<infer R, 'create'>
    ? { id: string | number } & RequestValues<R['fields']>
    : E extends Endpoint<infer R, 'update'>
      ? ({ id: string | number } & Partial<RequestValues<R['fields']>>) | undefined
      : undefined

/** Returns a resource's name with its article, such as `an invoice`. */
export const withArticle = ({ name }: Resource) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`

/** The method, the path below the collection's and the throttle of each operation. */
const routes = {
  list: { method: 'GET', path: '', throttle: 'read' },
  create: { method: 'POST', path: '', throttle: 'write' },
  retrieve: { method: 'GET', path: '/{id}', throttle: 'read' },
  update: { method: 'PUT', path: '/{id}', throttle: 'write' },
} as const

/** Returns the properties of an endpoint that follow from its resource and operation, without parameters or body. */
const endpointOf = <R extends Resource, O extends Operation>(resource: R, operation: O) => {
  const { plural } = resource
  const { method, path, throttle } = routes[operation]
  return {
    id: `${plural}.${operation}`,
    file: `functions/${plural}/${operation}.ts`,
    path: `/api/${plural}${path}`,
    usesTable: true,
    method,
    throttle,
    operation,
    resource,
    include: {},
    filter: undefined,
    options: {},
    parameters: [],
    body: undefined,
    bodyMayBeAbsent: false,
    examples: {},
  }
}

type NoOptions = Readonly<Record<never, EndpointOption>>

/** Defines a list: GET of a collection, newest first. `filter` names the reference field that can filter it. */
export const defineList = <R extends Resource>(
  resource: R,
  {
    include = {},
    filter,
  }: { readonly include?: Includes; readonly filter?: keyof R['fields'] & string } = {},
): Endpoint<R, 'list', NoOptions> => ({
  ...endpointOf(resource, 'list'),
  summary: `List ${resource.plural}, newest first`,
  about: about('Returns a page of at most `limit` entities, newest first.'),
  include: { ...include, ...commonIncludes },
  filter,
  parameters: [
    ...pageParameters,
    includeParameter,
    ...(filter === undefined ? [] : [filterParameter(filter, resource.plural)]),
  ],
})

/** Defines a retrieve: GET of one entity by the server's or the client's id. */
export const defineRetrieve = <R extends Resource>(
  resource: R,
  { include = {} }: { readonly include?: Includes } = {},
): Endpoint<R, 'retrieve', NoOptions> => ({
  ...endpointOf(resource, 'retrieve'),
  summary: `Retrieve ${withArticle(resource)}`,
  about: about('Takes the id that the service assigned, or your own.'),
  include: { ...include, ...commonIncludes },
  parameters: [includeParameter],
})

/** The documentation of an endpoint that takes a body. */
interface Documented {
  readonly about?: About | undefined
  readonly examples?: Endpoint['examples']
}

const bodySchemaOf = ({ fields, conditions }: Resource, operation: Operation): ObjectSchema => {
  const { properties, required } = requestSchema(fields)
  return objectSchema(
    { id: externalIdSchema, ...properties },
    operation === 'create' ? ['id', ...required] : ['id'],
    conditions,
  )
}

/** Defines a create: POST to a collection, idempotent by the client's id. */
export const defineCreate = <R extends Resource, const Os extends EndpointOptions = NoOptions>(
  resource: R,
  { about: description, examples = {}, options = {} as Os }: Documented & { readonly options?: Os } = {},
): Endpoint<R, 'create', Os> => ({
  ...endpointOf(resource, 'create'),
  summary: `Create ${withArticle(resource)}`,
  about: description,
  options,
  parameters: optionParameters(options),
  body: bodySchemaOf(resource, 'create'),
  examples,
})

/** Defines an update: PUT of one entity, which updates it with a body and erases its personal data without one. */
export const defineUpdateOrErase = <R extends Resource>(
  resource: R,
  { about: description, examples = {} }: Documented,
): Endpoint<R, 'update', NoOptions> => ({
  ...endpointOf(resource, 'update'),
  summary: `Update ${withArticle(resource)}, or anonymise it when no body is sent`,
  about: description,
  body: bodySchemaOf(resource, 'update'),
  bodyMayBeAbsent: true,
  examples,
})

/** Returns whether a request can ask a create to change an existing entity. */
export const createMayUpdate = ({ options }: Endpoint): boolean =>
  Object.values(options).some(({ updates }) => updates === true)
