import { createClient } from '../../client/index.ts'
import type { ClientOptions } from '../../client/options.ts'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint, Operation } from '../../shared/contract/endpoint.ts'
import { erasurePlaceholders } from '../../shared/contract/field.ts'
import { exampleBody, requestExamples } from '../../shared/openapi/examples.ts'
import { type Step, step } from './step.ts'

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

/** Except values that are hidden or converted, such as dates and references. */
const hasValues = ({ resource }: Endpoint, sentBody: Body, entity: Body): boolean =>
  Object.entries(sentBody).every(([name, value]) => {
    const field = resource.fields[name]
    const isReturnedAsSent = field?.visible && !field.reference && field.request === field.response
    if (!isReturnedAsSent) return true
    return JSON.stringify(entity[name]) === JSON.stringify(value)
  })

const isPresent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined

/** It has the client's id, and a value for each property that the endpoint can embed. */
const isComplete = (endpoint: Endpoint, externalId: string, entity: Body): boolean =>
  entity.external_id === externalId &&
  Object.entries(endpoint.include).every(([name, { path }]) => {
    const objects = path?.within === undefined ? [entity] : (entity[path.within] as Body[])
    return objects.every((object) => isPresent(object[name]))
  })

/** Entities are created first, and customers are erased last. */
const operationOrder: readonly Operation[] = ['create', 'retrieve', 'list', 'update']

const endpointSteps = (endpoint: Endpoint, methods: Methods, externalId: string): Step[] => {
  const { id, resource } = endpoint
  const include = Object.keys(endpoint.include)
  const body = exampleBody(resource, () => externalId)
  const [example] = Object.values(requestExamples(endpoint))
  const changes = { ...(example?.value as Body), id: externalId }
  const hasSent = (body: Body) => (entity: Body) => hasValues(endpoint, body, entity)
  const isCompleteEntity = (entity: Body) => isComplete(endpoint, externalId, entity)
  const steps: Readonly<Record<Operation, Step[]>> = {
    create: [step(id, () => methods.create(body), hasSent(body))],
    retrieve: [step(id, () => methods.retrieve(externalId, { include }), isCompleteEntity)],
    list: [
      step(
        id,
        () => methods.list({ include }),
        ({ items }) => items.some(isCompleteEntity),
      ),
      // The service holds back the newest changes, so there may be none.
      step(
        `${id} (changed_since)`,
        () => methods.changes({ since: 0, limit: 1 }).next(),
        ({ done, value }) => done === true || value.items.length === 1,
      ),
    ],
    update: [
      step(id, () => methods.update(externalId, changes), hasSent(changes)),
      step(
        `${id} (anonymise)`,
        () => methods.anonymise(externalId),
        hasSent(erasurePlaceholders(resource.fields)),
      ),
    ],
  }
  return steps[endpoint.operation]
}

/**
 * With the examples of the OpenAPI document. Entities with the id `externalId` stay, since nothing can be
 * deleted; the customer is erased.
 */
export const operationSteps = ({ baseUrl, appId, apiKey }: ClientOptions, externalId: string): Step[] => {
  // The methods of all resources are called in the same way here.
  const client = createClient({ baseUrl, appId, apiKey, retries: 0 }) as unknown as Record<string, Methods>
  const steps: Step[] = []
  for (const operation of operationOrder)
    for (const endpoint of catalogue)
      if (endpoint.operation === operation)
        steps.push(...endpointSteps(endpoint, client[endpoint.resource.plural]!, externalId))
  return steps
}
