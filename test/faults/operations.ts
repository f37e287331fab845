import { catalogue, resourceNamed } from '../../shared/catalogue.ts'
import { type Endpoint, mayUpdate } from '../../shared/contract/endpoint.ts'
import type { Field, Fields } from '../../shared/contract/field.ts'
import { referencesOf } from '../../shared/contract/references.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleBody, exampleId } from '../../shared/openapi/examples.ts'
import { type Client, SENTINEL } from '../support/service.ts'

type Body = Readonly<Record<string, unknown>>

/** A request of an operation, and the path of the entity that it records. */
export interface FaultyRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: Body
  /** The path of the entity that must equal the response once the request has succeeded. */
  readonly recorded?: string
}

/** An operation under faults: how to create what it needs, and a request that `unique` distinguishes from all others. */
export interface FaultyOperation {
  /** The endpoint's id, with a note on the variant of the request. */
  readonly name: string
  seed(client: Client): Promise<void>
  request(unique: string): FaultyRequest
}

const marked = (field: Field, value: unknown): unknown => {
  const { items, reference, request } = field
  if (items) return (value as Body[]).map((each) => markedAll(items.fields, each))
  if (reference || request.enum || request.format) return value
  if (typeof value === 'object') return { [SENTINEL]: [{ deep: SENTINEL }] }
  return typeof value === 'string' ? SENTINEL : value
}

/** Puts the sentinel into every text, so that a log line or an error that holds any of it is noticed. */
const markedAll = (fields: Fields, body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fields[name] ? marked(fields[name], value) : value]),
  )

/** Returns the example of a resource. Under another id, it has a subscription of its own where it can begin one. */
export const bodyOf = (resource: Resource, id: unknown = exampleId(resource)): Body => {
  const begun = Object.entries(resource.fields).flatMap(([name, { reference }]) =>
    reference?.mayBegin && id !== exampleId(resource) ? [[name, `of ${id}`]] : [],
  )
  return { ...markedAll(resource.fields, exampleBody(resource)), ...Object.fromEntries(begun), id }
}

/** Returns the resource and all that must exist before it. */
const withNeeded = (resource: Resource): Resource[] => [
  ...referencesOf(resource.fields).flatMap(({ reference }) =>
    reference.mayBegin ? [] : withNeeded(resourceNamed(reference.target)),
  ),
  resource,
]

/** Returns a function that creates the example of a resource, and first all that it needs. */
export const seedOf =
  (resource: Resource) =>
  async (client: Client): Promise<void> => {
    const wanted = new Set(withNeeded(resource))
    for (const { operation, path, resource: each } of catalogue)
      if (operation === 'create' && wanted.has(each)) await client.create(path, bodyOf(each))
  }

const requestsOf = (endpoint: Endpoint): FaultyOperation[] => {
  const { id: name, operation, resource } = endpoint
  const seed = seedOf(resource)
  const entity = `/api/${resource.plural}/${exampleId(resource)}`
  const query = `?include=${Object.keys(endpoint.include).join(',')}`
  const changing = (what: string, body: (unique: string) => Partial<FaultyRequest>): FaultyOperation => ({
    name: `${name}, ${what}`,
    seed,
    request: (unique) => ({ method: 'PUT', path: entity, recorded: entity, ...body(unique) }),
  })
  return {
    list: [{ name, seed, request: () => ({ method: 'GET' as const, path: endpoint.path + query }) }],
    retrieve: [{ name, seed, request: () => ({ method: 'GET' as const, path: entity + query }) }],
    create: [
      {
        name,
        seed,
        request: (unique: string) => ({
          method: 'POST' as const,
          path: endpoint.path,
          recorded: `${endpoint.path}/${unique}`,
          body: bodyOf(resource, unique),
        }),
      },
      ...(mayUpdate(endpoint)
        ? [
            changing('an update', (unique) => ({
              method: 'POST',
              path: `${endpoint.path}?on_conflict=update`,
              body: { ...bodyOf(resource), name: unique },
            })),
          ]
        : []),
    ],
    update: [
      changing('a change', (unique) => ({ body: { ...bodyOf(resource), name: unique } })),
      changing('an erasure', () => ({})),
    ],
  }[operation]
}

/** Every operation of the API, with everything embedded that it can embed. */
export const operations: readonly FaultyOperation[] = catalogue.flatMap(requestsOf)
