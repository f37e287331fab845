import { catalogue } from '../../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'

/** The create endpoints by the name of their resource. Subscriptions have none: they are derived from invoices. */
export const createEndpoints: ReadonlyMap<string, Endpoint> = new Map(
  catalogue
    .filter(({ operation }) => operation === 'create')
    .map((endpoint) => [endpoint.resource.name, endpoint] as const),
)

/** Returns whether a create of a resource, given by its name, can update a recorded entity. */
export const isUpdatable = (type: string): boolean => {
  const endpoint = createEndpoints.get(type)
  return endpoint !== undefined && createMayUpdate(endpoint)
}
