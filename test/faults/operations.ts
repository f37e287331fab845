import { catalogue } from '../../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'
import { descriptiveFieldNames, type Field, type Fields } from '../../shared/contract/field.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleBody, exampleId } from '../../shared/openapi/examples.ts'
import { type Client, SENTINEL } from '../support/requests/service.ts'

type Body = Readonly<Record<string, unknown>>

/** A request of an operation, and the path of the entity that it records. */
export interface FaultyRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: Body
  /** The path of the entity that a successful request leaves. A GET of it must equal the response. */
  readonly recorded?: string
}

/** An operation to test under faults, in an application with the records of `recordExamples`. */
export interface FaultyOperation {
  /** The endpoint's id, with a note on the variant of the request. */
  readonly name: string
  /** Returns a request that differs from all others by `unique`, a new id or name. */
  request(unique: string): FaultyRequest
}

const marked = (field: Field, value: unknown): unknown => {
  const { items, reference, request } = field
  if (items) return (value as Body[]).map((each) => markedAll(items.fields, each))
  if (reference || request.enum || request.format) return value
  if (typeof value === 'object') return { [SENTINEL]: [{ deep: SENTINEL }] }
  return typeof value === 'string' ? SENTINEL : value
}

/** Puts the sentinel into every text, so that a log line or an error that contains any of it is noticed. */
const markedAll = (fields: Fields, body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fields[name] ? marked(fields[name], value) : value]),
  )

/** Returns the example of a resource with another id. An invoice then starts a subscription of its own. */
export const exampleWithId = (resource: Resource, id: unknown = exampleId(resource)): Body => {
  const begun = Object.entries(resource.fields).flatMap(([name, { reference }]) =>
    reference?.startsEntity && id !== exampleId(resource) ? [[name, `of ${id}`]] : [],
  )
  return { ...markedAll(resource.fields, exampleBody(resource)), ...Object.fromEntries(begun), id }
}

/** Creates the example of every resource. */
export const recordExamples = async (client: Client): Promise<void> => {
  for (const { operation, path, resource } of catalogue)
    if (operation === 'create') await client.create(path, exampleWithId(resource))
}

const requestsOf = (endpoint: Endpoint): FaultyOperation[] => {
  const { id: name, operation, path, resource } = endpoint
  const entity = `/api/${resource.plural}/${exampleId(resource)}`
  const query = `?include=${Object.keys(endpoint.include).join(',')}`
  const [changing = 'name'] = descriptiveFieldNames(resource.fields)
  const update: FaultyOperation = {
    name: `${name}, an update`,
    request: (unique) => ({
      method: operation === 'create' ? 'POST' : 'PUT',
      path: operation === 'create' ? `${path}?on_conflict=update` : entity,
      body: { ...exampleWithId(resource), [changing]: unique },
      recorded: entity,
    }),
  }
  const create: FaultyOperation = {
    name,
    request: (unique) => ({
      method: 'POST',
      path,
      body: exampleWithId(resource, unique),
      recorded: `${path}/${unique}`,
    }),
  }
  const erasure: FaultyOperation = {
    name: `${name}, an erasure`,
    request: () => ({ method: 'PUT', path: entity, recorded: entity }),
  }
  return {
    list: [{ name, request: () => ({ method: 'GET' as const, path: path + query }) }],
    retrieve: [{ name, request: () => ({ method: 'GET' as const, path: entity + query }) }],
    create: createMayUpdate(endpoint) ? [create, update] : [create],
    update: [update, erasure],
  }[operation]
}

/** Every operation of the API, with everything embedded that it can embed. */
export const operations: readonly FaultyOperation[] = catalogue.flatMap(requestsOf)
