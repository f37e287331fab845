import type { Endpoint } from '../contract/endpoint.ts'
import type { Content, Entity, Resource } from '../contract/resource.ts'
import { present } from '../http/present.ts'
import { serverIdFor } from '../ids.ts'
import { encodeCursor } from '../pagination/cursor.ts'
import * as customer from '../resources/customer.ts'
import * as discount from '../resources/discount.ts'
import * as invoice from '../resources/invoice.ts'
import * as price from '../resources/price.ts'
import * as product from '../resources/product.ts'
import * as subscription from '../resources/subscription.ts'
import * as bodies from './openapi-bodies.ts'

/** Examples by a key that names them; answers are made by the code that makes the real ones. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>

const app = 'example'

const entityOf = <R extends Resource>(
  resource: R,
  clientId: string | number,
  content: Content<R>,
): Entity<R> => ({
  ...content,
  id: serverIdFor(app, resource.prefix, clientId),
  order: String(clientId),
})

const plan = entityOf(product.product, bodies.product.id, product.productFrom(bodies.product))
const monthly = entityOf(
  price.price,
  bodies.recurringPrice.id,
  price.priceFrom(bodies.recurringPrice, plan.id),
)
const ann = entityOf(customer.customer, bodies.customer.id, customer.customerFrom(bodies.customer))
const spring = entityOf(
  discount.discount,
  bodies.percentDiscount.id,
  discount.discountFrom(bodies.percentDiscount),
)
const subscriptionId = serverIdFor(
  app,
  subscription.subscription.prefix,
  bodies.invoiceWithLines.subscription_id,
)
const february = entityOf(
  invoice.invoice,
  bodies.invoiceWithLines.id,
  invoice.invoiceFrom(
    bodies.invoiceWithLines,
    { customerId: ann.id, subscriptionId, discountIds: [spring.id] },
    (index) => `li_${index}`,
  ),
)
const running = {
  ...entityOf(
    subscription.subscription,
    bodies.invoiceWithLines.subscription_id,
    subscription.subscriptionAfter(undefined, {
      invoiceId: february.id,
      ...february.fields,
      line_items: february.kept.line_items,
    }) as Content<typeof subscription.subscription>,
  ),
}

const entities: Readonly<Record<string, Entity>> = {
  products: plan,
  prices: monthly,
  customers: ann,
  discounts: spring,
  invoices: february,
  subscriptions: running,
}

/** The client's own id of the example of each kind, by the plural. */
export const exampleIds: Readonly<Record<string, string | number>> = {
  products: bodies.product.id,
  prices: bodies.recurringPrice.id,
  customers: bodies.customer.id,
  discounts: bodies.percentDiscount.id,
  invoices: bodies.invoiceWithLines.id,
}
const embeddedIn: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  products: { prices: [monthly] },
  invoices: { line_items: february.kept.line_items, subscription: running, customer: ann },
}

const requests: Readonly<Record<string, Examples>> = {
  'products.create': { product: { summary: 'A product', value: bodies.product } },
  'prices.create': {
    recurring: { summary: 'A monthly price', value: bodies.recurringPrice },
    one_time: { summary: 'A price that is paid once', value: bodies.oneTimePrice },
  },
  'customers.create': { customer: { summary: 'A customer', value: bodies.customer } },
  'customers.update': {
    update: { summary: 'A new e-mail address; the phone number is cleared', value: bodies.customerUpdate },
  },
  'discounts.create': {
    percent: { summary: 'A tenth off for three months', value: bodies.percentDiscount },
    amount: { summary: 'Five euros off, once', value: bodies.amountDiscount },
  },
  'invoices.create': {
    with_lines: { summary: 'With a line and a discount', value: bodies.invoiceWithLines },
    plain: { summary: 'The total only', value: bodies.plainInvoice },
  },
}

/** Bodies that the endpoint accepts. */
export const requestExamples = ({ id }: Endpoint): Examples => requests[id] ?? {}

const enveloped = (
  endpoint: Endpoint,
  entity: Entity,
  embedded?: Readonly<Record<string, unknown>>,
): unknown => {
  const shown = present(endpoint, { entity, ...(embedded ? { embedded } : {}) })
  if (endpoint.operation !== 'list') return { data: { [endpoint.resource.name]: shown } }
  const scope = { app, list: endpoint.id, secret: '' }
  const next_cursor = encodeCursor(scope, { direction: 'older', order: entity.order })
  return {
    data: { [endpoint.resource.plural]: [shown] },
    pagination: { has_more: true, next_cursor, previous_cursor: null },
  }
}

/** What the endpoint answers with when all is well. */
export const successExamples = (endpoint: Endpoint): Examples => {
  const entity = entities[endpoint.resource.plural] as Entity
  if (endpoint.id === 'customers.update') {
    const updated = {
      ...entity,
      fields: { ...entity.fields, ...customer.customerChanges(bodies.customerUpdate).fields },
    }
    const erased = { ...entity, fields: { ...entity.fields, ...customer.anonymous } }
    return {
      updated: { summary: 'Updated', value: enveloped(endpoint, updated) },
      anonymised: { summary: 'Anonymised', value: enveloped(endpoint, erased) },
    }
  }
  const names = Object.keys(endpoint.include)
  const plain = { summary: 'As it is recorded', value: enveloped(endpoint, entity) }
  if (names.length === 0) return { plain }
  const value = enveloped(endpoint, entity, embeddedIn[endpoint.resource.plural])
  return { plain, with_includes: { summary: `With include=${names.join(',')}`, value } }
}
