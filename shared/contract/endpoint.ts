import { type About, about, type Example } from './about.ts'
import type { Deployable } from './deployable.ts'
import type { RequestValues } from './field.ts'
import { requestSchema } from './fields.ts'
import { externalIdSchema, parentField } from './identifiers.ts'
import { externalId, type Includes } from './include.ts'
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

/** What an operation does with its resource. */
export type Operation = 'list' | 'create' | 'retrieve' | 'update'

const commonIncludes: Includes = { external_id: externalId }

/** An operation on a resource. Route, validation, response, permissions and documents are derived from it. */
export interface Endpoint<
  R extends Resource = Resource,
  O extends Operation = Operation,
  Os extends EndpointOptions = EndpointOptions,
> extends Deployable {
  readonly operation: O
  /** Whether a successful response has a page of entities instead of one. */
  readonly returnsPage: boolean
  readonly about: About | undefined
  readonly resource: R
  /** The values that a request can embed. */
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

/** A resource's name with its article, such as `an invoice`. */
export const withArticle = ({ name }: Resource) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`

/** What distinguishes the operations. Their paths are below the path of the collection. */
const operations = {
  list: { method: 'GET', path: '', throttle: 'read', returnsPage: true },
  create: { method: 'POST', path: '', throttle: 'write', returnsPage: false },
  retrieve: { method: 'GET', path: '/{id}', throttle: 'read', returnsPage: false },
  update: { method: 'PUT', path: '/{id}', throttle: 'write', returnsPage: false },
} as const

/** An endpoint without includes, parameters, options and body, which its definition adds. */
const bareEndpoint = <R extends Resource, O extends Operation>(resource: R, operation: O) => {
  const { plural } = resource
  const facts = operations[operation]
  return {
    ...facts,
    id: `${plural}.${operation}`,
    file: `functions/${plural}/${operation}.ts`,
    path: `/api/${plural}${facts.path}`,
    usesTable: true,
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

/**
 * Defines a list: GET of a collection, newest first. `filter` names the reference field that can filter it.
 */
export const defineList = <R extends Resource>(
  resource: R,
  { include = {} }: { readonly include?: Includes } = {},
): Endpoint<R, 'list', NoOptions> => {
  const filter = parentField(resource.fields)
  return {
    ...bareEndpoint(resource, 'list'),
    about: about('Returns a page of at most `limit` entities, newest first.'),
    include: { ...include, ...commonIncludes },
    filter,
    parameters: [
      ...pageParameters,
      includeParameter,
      ...(filter === undefined ? [] : [filterParameter(filter, resource.plural)]),
    ],
  }
}

/** Defines a retrieve: GET of one entity by the server's or the client's id. */
export const defineRetrieve = <R extends Resource>(
  resource: R,
  { include = {} }: { readonly include?: Includes } = {},
): Endpoint<R, 'retrieve', NoOptions> => ({
  ...bareEndpoint(resource, 'retrieve'),
  about: about('Takes the id that the service assigned, or your own.'),
  include: { ...include, ...commonIncludes },
  parameters: [includeParameter],
})

/** The documentation of an endpoint that takes a body. */
interface BodyDocumentation {
  readonly about?: About | undefined
  readonly examples?: Endpoint['examples']
}

const createBodySchema = ({ fields, conditions }: Resource): ObjectSchema => {
  const { properties, required } = requestSchema(fields)
  return objectSchema({ id: externalIdSchema, ...properties }, ['id', ...required], conditions)
}

/** Defines a create: POST to a collection, idempotent by the client's id. */
export const defineCreate = <R extends Resource, const Os extends EndpointOptions = NoOptions>(
  resource: R,
  {
    about: description,
    examples = {},
    options = {} as Os,
  }: BodyDocumentation & { readonly options?: Os } = {},
): Endpoint<R, 'create', Os> => ({
  ...bareEndpoint(resource, 'create'),
  about: description,
  options,
  parameters: optionParameters(options),
  body: createBodySchema(resource),
  examples,
})

/** Defines an update: PUT of one entity, which erases its personal data if no body is sent. */
export const defineUpdateOrErase = <R extends Resource>(
  resource: R,
  { about: description, examples = {} }: BodyDocumentation,
): Endpoint<R, 'update', NoOptions> => ({
  ...bareEndpoint(resource, 'update'),
  about: description,
  // Only the id is required.
  body: { ...createBodySchema(resource), required: ['id'] },
  bodyMayBeAbsent: true,
  examples,
})

/** Whether an endpoint is a create that can change an existing entity if a request asks for it. */
export const createMayUpdate = ({ options }: Endpoint): boolean =>
  Object.values(options).some(({ updates }) => updates === true)
