import { parseDate } from '../contract/dates.ts'
import { create, list, retrieve } from '../contract/endpoint.ts'
import {
  clientId,
  currency,
  date,
  minorUnits,
  nullable,
  reference,
  seconds,
  serverId,
} from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { each, periodIsOrdered } from '../contract/rules.ts'
import { array, object, type ValueOf } from '../contract/schema.ts'
import { customer } from './customer.ts'
import { type LineItem, lineItemFrom, lineItemRequest, lineItemResponse } from './line-item.ts'
import { subscription } from './subscription.ts'

const lineItems = array(lineItemResponse, 250)

/** §2 Invoice. */
export const invoice = resource({
  name: 'invoice',
  plural: 'invoices',
  prefix: 'inv',
  fields: {
    total: minorUnits,
    created: seconds,
    period_start: seconds,
    period_end: seconds,
    currency,
    customer_id: serverId(customer.prefix),
    subscription_id: serverId(subscription.prefix),
  },
  kept: { discounts: array(reference, 50), line_items: lineItems },
})

const body = object(
  {
    id: clientId,
    total: minorUnits,
    created: date,
    period_start: date,
    period_end: date,
    currency,
    customer_id: reference,
    subscription_id: reference,
    discounts: nullable(array(reference, 50)),
    line_items: nullable(array(lineItemRequest, 250)),
  },
  ['id', 'total', 'created', 'period_start', 'period_end', 'currency', 'customer_id', 'subscription_id'],
)
const include = {
  line_items: { from: 'kept', schema: lineItems },
  subscription: { from: 'reference', field: 'subscription_id', resource: subscription },
  customer: { from: 'reference', field: 'customer_id', resource: customer },
} as const

/** §4 Invoices. */
export const invoices = {
  list: list(invoice, include),
  create: create(invoice, body, [periodIsOrdered, each('line_items', periodIsOrdered)]),
  retrieve: retrieve(invoice, include),
}

/** The server's ids of what an invoice names. */
export interface InvoiceReferences {
  readonly customerId: string
  readonly subscriptionId: string
  readonly discountIds: string[]
}

const secondsOf = (text: string) => parseDate(text) as number

/** The invoice that a request's body describes; `lineId` makes the id of the line at an index that has none (R9). */
export const invoiceFrom = (
  request: ValueOf<typeof body>,
  references: InvoiceReferences,
  lineId: (index: number) => string,
): Content<typeof invoice> => ({
  fields: {
    total: request.total,
    created: secondsOf(request.created),
    period_start: secondsOf(request.period_start),
    period_end: secondsOf(request.period_end),
    currency: request.currency.toUpperCase(),
    customer_id: references.customerId,
    subscription_id: references.subscriptionId,
  },
  kept: {
    discounts: references.discountIds,
    line_items: (request.line_items ?? []).map((line, index): LineItem => lineItemFrom(line, lineId(index))),
  },
})
