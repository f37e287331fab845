import { type ClientOptions, createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint, Operation } from '../../shared/contract/endpoint.ts'
import { placeholdersOf } from '../../shared/contract/field.ts'
import { exampleBody, requestExamples } from '../../shared/openapi/examples.ts'

/** The deployment to test, and the application to use. */
export type Destination = Pick<ClientOptions, 'baseUrl' | 'appId' | 'apiKey'>

/** A call of the tour, and the condition for its response. Lists may fulfil it later, since they lag behind writes. */
export interface Step {
  /** The endpoint's id, with a note if an endpoint is called in two ways. */
  readonly operation: string
  readonly call: () => Promise<unknown>
  readonly holds: (response: never) => boolean
}

type Body = Readonly<Record<string, unknown>>

/** The client's methods of any resource, without the types of its fields. */
interface Methods {
  create(body: Body): Promise<Body>
  retrieve(id: string, options: object): Promise<Body>
  list(options: object): Promise<{ readonly items: readonly Body[] }>
  changes(options: object): AsyncIterator<{ readonly items: readonly Body[] }>
  update(id: string, changes: Body): Promise<Body>
  anonymise(id: string): Promise<Body>
}

/** Returns whether an entity has the sent values, except those that are hidden or converted, such as dates and references. */
const shows = ({ resource }: Endpoint, sent: Body, entity: Body): boolean =>
  Object.entries(sent).every(([name, value]) => {
    const field = resource.fields[name]
    if (!field?.visible || field.reference || field.request !== field.response) return true
    return JSON.stringify(entity[name]) === JSON.stringify(value)
  })

/** Returns whether an entity has our id and a value for everything that the endpoint can embed. */
const isWhole = ({ include }: Endpoint, own: string, entity: Body): boolean =>
  entity.external_id === own &&
  Object.entries(include).every(([name, how]) => {
    const objects = how.from === 'listed' ? (entity[how.list] as Body[]) : [entity]
    return objects.every((object) => [object[name] ?? []].flat().length > 0)
  })

/** The order of steps: an entity is created before its other steps, and erased last. */
const order: readonly Operation[] = ['create', 'retrieve', 'list', 'update']

const stepsOf = (endpoint: Endpoint, methods: Methods, own: string): Step[] => {
  const { id: operation, resource } = endpoint
  const include = Object.keys(endpoint.include)
  const body = exampleBody(resource, () => own)
  const [change] = Object.values(requestExamples(endpoint))
  const changes = { ...(change?.value as Body), id: own }
  const erased = placeholdersOf(resource.fields)
  const steps: Readonly<Record<Operation, Step[]>> = {
    create: [
      { operation, call: () => methods.create(body), holds: (entity) => shows(endpoint, body, entity) },
    ],
    retrieve: [
      {
        operation,
        call: () => methods.retrieve(own, { include }),
        holds: (entity) => isWhole(endpoint, own, entity),
      },
    ],
    list: [
      {
        operation,
        call: () => methods.list({ include }),
        holds: ({ items }: { items: Body[] }) => items.some((entity) => isWhole(endpoint, own, entity)),
      },
      {
        // What was recorded just now is held back.
        operation: `${operation} (changed_since)`,
        call: () => methods.changes({ since: 0, limit: 1 }).next(),
        holds: ({ done, value }: IteratorResult<{ items: Body[] }>) =>
          done === true || value.items.length === 1,
      },
    ],
    update: [
      {
        operation,
        call: () => methods.update(own, changes),
        holds: (entity) => shows(endpoint, changes, entity),
      },
      {
        operation: `${operation} (anonymise)`,
        call: () => methods.anonymise(own),
        holds: (entity) => shows(endpoint, erased, entity),
      },
    ],
  }
  return steps[endpoint.operation]
}

/**
 * Returns the steps through every operation of the catalogue, with the examples of the document. `own` is the id of
 * every entity that the tour leaves, since nothing can be deleted; the customer is anonymised.
 */
export const tour = ({ baseUrl, appId, apiKey }: Destination, own: string): Step[] => {
  const client = createClient({ baseUrl, appId, apiKey, retries: 0 }) as unknown as Record<string, Methods>
  return order.flatMap((operation) =>
    catalogue
      .filter((endpoint) => endpoint.operation === operation)
      .flatMap((endpoint) => stepsOf(endpoint, client[endpoint.resource.plural]!, own)),
  )
}
