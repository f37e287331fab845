import type { Deployable } from './contract/deployable.ts'
import { documentFunction } from './contract/document-function.ts'
import type { Endpoint } from './contract/endpoint.ts'
import type { Includes } from './contract/include.ts'
import type { Resource } from './contract/resource.ts'
import { customers } from './resources/customer.ts'
import { discounts } from './resources/discount.ts'
import { invoices } from './resources/invoice.ts'
import { prices } from './resources/price.ts'
import { products } from './resources/product.ts'
import { subscriptions } from './resources/subscription.ts'

/** Endpoints in the order of the documentation. A resource comes after those that it refers to. */
export const catalogue: readonly Endpoint[] = [
  products,
  prices,
  customers,
  discounts,
  invoices,
  subscriptions,
].flatMap((endpoints): Endpoint[] => Object.values(endpoints))

/** Every deployed function: one for each endpoint, and those that belong to no resource, such as that of the document and the pages. */
export const deployables: readonly (Endpoint | Deployable)[] = [...catalogue, documentFunction]

export const isEndpoint = (deployable: Endpoint | Deployable): deployable is Endpoint =>
  'operation' in deployable

/** All resources by name. */
export const resourcesByName: ReadonlyMap<string, Resource> = new Map(
  catalogue.map(({ resource }) => [resource.name, resource]),
)

/** The resource with a name. Throws Error if there is none. */
export const resourceNamed = (name: string): Resource => {
  const resource = resourcesByName.get(name)
  if (!resource)
    throw new Error(`No resource is named "${name}"; the names are ${[...resourcesByName.keys()].join(', ')}`)
  return resource
}

/** The includes of all operations of a resource, by name. */
export const includesOf = (resource: Resource): Includes => {
  const endpoints = catalogue.filter((endpoint) => endpoint.resource === resource)
  return Object.assign({}, ...endpoints.map(({ include }) => include))
}
