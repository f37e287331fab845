import type { Work } from '../../shared/contract/call.ts'
import type { StoredValues } from '../../shared/contract/field.ts'
import type { Entity } from '../../shared/contract/resource.ts'
import { ApiError } from '../../shared/errors.ts'
import { serve } from '../../shared/http/serve.ts'
import { customer } from '../../shared/resources/customer.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { subscription, subscriptionAfter } from '../../shared/resources/subscription.ts'
import { createWithDerived } from '../../shared/store/derived.ts'
import { creationOf } from '../../shared/store/operations.ts'
import { wrongOwnerDetail } from '../../shared/store/references.ts'

type Subscription = typeof subscription

/** Records the invoice and the subscription derived from it in one atomic write. */
const createInvoice: Work<typeof invoices.create> = async (call) => {
  const creation = await creationOf(call)
  const { id: invoiceId, content, found } = creation
  const { subscription_id: id } = call.body
  const subscriptionNamed = { path: 'subscription_id', resource: subscription, id }
  const next = (state: StoredValues<Subscription['fields']> | undefined) => {
    if (state && state.customer_id !== content.customer_id)
      // An invoice of another customer has started the subscription since references were resolved.
      throw new ApiError('invalid', wrongOwnerDetail(subscriptionNamed, customer))
    return subscriptionAfter(state, { ...content, invoiceId })
  }
  const current = found.get('subscription_id') as Entity<Subscription> | undefined
  return createWithDerived(
    creation,
    {
      resource: subscription,
      id: content.subscription_id,
      externalId: String(call.body.subscription_id),
      parent: found.get('customer_id') as Entity,
      next,
    },
    current,
  )
}

/** POST /api/invoices */
export const handler = serve(invoices.create, createInvoice)
