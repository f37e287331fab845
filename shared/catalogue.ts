import { type Deployable, document } from './contract/deployable.ts'
import type { Endpoint } from './contract/endpoint.ts'
import type { Resource } from './contract/resource.ts'
import { customers } from './resources/customer.ts'
import { discounts } from './resources/discount.ts'
import { invoices } from './resources/invoice.ts'
import { prices } from './resources/price.ts'
import { products } from './resources/product.ts'
import { subscriptions } from './resources/subscription.ts'

/** Every endpoint of the API, in the order in which documents list them (§4). */
export const catalogue: readonly Endpoint[] = [
  products,
  prices,
  customers,
  discounts,
  invoices,
  subscriptions,
].flatMap((endpoints): Endpoint[] => Object.values(endpoints))

/** Every function that is deployed: the endpoints', and those of no operation. */
export const deployables: readonly (Endpoint | Deployable)[] = [...catalogue, document]

/** Whether a deployable serves an endpoint. */
export const isEndpoint = (deployable: Endpoint | Deployable): deployable is Endpoint =>
  'operation' in deployable

/** Every resource, by the name that references use. */
export const resources: ReadonlyMap<string, Resource> = new Map(
  catalogue.map(({ resource }) => [resource.name, resource]),
)

/** The resource with a name; throws where a field or an include names one that has no endpoint. */
export const resourceNamed = (name: string): Resource => {
  const found = resources.get(name)
  if (!found) throw new Error(`No resource is named "${name}"; there are ${[...resources.keys()].join(', ')}`)
  return found
}
