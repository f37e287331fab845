import type { Content, Entity } from '../../shared/contract/resource.ts'
import type { ValueOf } from '../../shared/contract/schema.ts'
import { ApiError } from '../../shared/errors.ts'
import { serve } from '../../shared/http/serve.ts'
import { isServerId, lineItemIdFor, serverIdFor } from '../../shared/ids.ts'
import { customer } from '../../shared/resources/customer.ts'
import { discount } from '../../shared/resources/discount.ts'
import { invoice, invoiceFrom, invoices } from '../../shared/resources/invoice.ts'
import { subscription, subscriptionAfter } from '../../shared/resources/subscription.ts'
import { createWithDerived } from '../../shared/store/derived.ts'
import { findReferences, type Reference, unknownReference } from '../../shared/store/references.ts'

type Subscription = typeof subscription
type Body = ValueOf<typeof invoices.create.body>

const named = (body: Body) => ({
  customer: { field: 'customer_id', resource: customer, id: body.customer_id },
  subscription: { field: 'subscription_id', resource: subscription, id: body.subscription_id },
  discounts: (body.discounts ?? []).map((id, index) => ({
    field: `discounts[${index}]`,
    resource: discount,
    id,
  })),
})

/** What an invoice names. A subscription need not exist yet, unless its id says that we assigned it. */
const resolve = async (app: string, body: Body) => {
  const names = named(body)
  const all: Reference[] = [names.customer, names.subscription, ...names.discounts]
  const found = await findReferences(app, all)
  const mayBegin = (reference: Reference) =>
    reference === names.subscription && !isServerId(subscription.prefix, String(reference.id))
  const unknown = all.filter((reference) => !found.get(reference) && !mayBegin(reference))
  if (unknown.length > 0) throw new ApiError('invalid', unknown.map(unknownReference))
  const current = found.get(names.subscription) as Entity<Subscription> | undefined
  return {
    current,
    customerId: found.get(names.customer)!.id,
    subscriptionId: current?.id ?? serverIdFor(app, subscription.prefix, body.subscription_id),
    discountIds: names.discounts.map((reference) => found.get(reference)!.id),
  }
}

/** POST /api/invoices: records the invoice and the subscription derived from it in one atomic write. */
export const handler = serve(invoices.create, async ({ app, body }) => {
  const { current, ...references } = await resolve(app, body)
  const invoiceId = serverIdFor(app, invoice.prefix, body.id)
  const content = invoiceFrom(body, references, (index) => lineItemIdFor(invoiceId, index))
  const next = (state: Content<Subscription> | undefined) => {
    if (state && state.fields.customer_id !== references.customerId)
      throw new ApiError(
        'invalid',
        `subscription_id must be a subscription of the same customer; ${JSON.stringify(String(body.subscription_id))} belongs to another.`,
      )
    return subscriptionAfter(state, { invoiceId, ...content.fields, line_items: content.kept.line_items })
  }
  const derivation = { resource: subscription, id: references.subscriptionId, next }
  return {
    entity: await createWithDerived(
      { app, resource: invoice, clientId: body.id, content },
      derivation,
      current,
    ),
  }
})
