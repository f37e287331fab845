import { catalogue } from '../../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'
import { descriptiveFieldNames, type Field, type Fields } from '../../shared/contract/field.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleBody, exampleId } from '../../shared/openapi/examples.ts'
import { type Client, SENTINEL } from '../support/requests/service.ts'

type Body = Readonly<Record<string, unknown>>

export interface FaultyRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: Body
  /** A GET of it must return the same as the request. */
  readonly recorded?: string
}

export interface FaultyOperation {
  readonly name: string
  /** Differs from all others, because `unique` is its id or name. */
  request(unique: string): FaultyRequest
}

/** Unless the field allows only certain texts. */
const withSentinel = (field: Field, value: unknown): unknown => {
  const { items, reference, request } = field
  if (items) return (value as Body[]).map((item) => bodyWithSentinel(items.fields, item))
  if (reference || request.enum || request.format) return value
  if (typeof value === 'object') return { [SENTINEL]: [{ deep: SENTINEL }] }
  return typeof value === 'string' ? SENTINEL : value
}

/** A log line or an error that contains any of its texts fails a test. */
const bodyWithSentinel = (fields: Fields, body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      fields[name] ? withSentinel(fields[name], value) : value,
    ]),
  )

const markedExample = (resource: Resource): Body => bodyWithSentinel(resource.fields, exampleBody(resource))

/** An invoice starts a subscription of its own. */
const markedExampleWithId = (resource: Resource, id: string): Body => {
  const startedEntities = Object.entries(resource.fields)
    .filter(([, { reference }]) => reference?.startsEntity)
    .map(([name]) => [name, `of ${id}`])
  return { ...markedExample(resource), ...Object.fromEntries(startedEntities), id }
}

export const recordMarkedExamples = async (client: Client): Promise<void> => {
  for (const { operation, path, resource } of catalogue)
    if (operation === 'create') await client.create(path, markedExample(resource))
}

const operationsOf = (endpoint: Endpoint): FaultyOperation[] => {
  const { id: name, operation, path, resource } = endpoint
  const entity = `/api/${resource.plural}/${exampleId(resource)}`
  const query = `?include=${Object.keys(endpoint.include).join(',')}`
  const [changedField = 'name'] = descriptiveFieldNames(resource.fields)
  const update: FaultyOperation = {
    name: `${name}, an update`,
    request: (unique) => ({
      method: operation === 'create' ? 'POST' : 'PUT',
      path: operation === 'create' ? `${path}?on_conflict=update` : entity,
      body: { ...markedExample(resource), [changedField]: unique },
      recorded: entity,
    }),
  }
  const create: FaultyOperation = {
    name,
    request: (unique) => ({
      method: 'POST',
      path,
      body: markedExampleWithId(resource, unique),
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

export const operations: readonly FaultyOperation[] = catalogue.flatMap(operationsOf)
