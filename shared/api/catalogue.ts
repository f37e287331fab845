import type { Endpoint } from '../contract/endpoint.ts'
import { customers } from '../resources/customer.ts'
import { discounts } from '../resources/discount.ts'
import { invoices } from '../resources/invoice.ts'
import { prices } from '../resources/price.ts'
import { products } from '../resources/product.ts'
import { subscriptions } from '../resources/subscription.ts'

/** Every endpoint of the API, in the order in which documents list them (§4). */
export const catalogue: readonly Endpoint[] = [
  products,
  prices,
  customers,
  discounts,
  invoices,
  subscriptions,
].flatMap((endpoints): Endpoint[] => Object.values(endpoints))
