import { catalogue } from '../../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'

/** By the name of their resource. Subscriptions have none: they are derived from invoices. */
export const createEndpoints: ReadonlyMap<string, Endpoint> = new Map(
  catalogue
    .filter(({ operation }) => operation === 'create')
    .map((endpoint) => [endpoint.resource.name, endpoint] as const),
)

/** `type` is the name of a resource. */
export const isUpdatable = (type: string): boolean => {
  const endpoint = createEndpoints.get(type)
  return endpoint !== undefined && createMayUpdate(endpoint)
}
