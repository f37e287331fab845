import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'

/** By the name of their resource. Subscriptions have none: they are derived from invoices. */
export const createEndpoints: ReadonlyMap<string, Endpoint> = new Map(
  catalogue
    .filter(({ operation }) => operation === 'create')
    .map((endpoint) => [endpoint.resource.name, endpoint] as const),
)
