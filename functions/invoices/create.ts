import type { Work } from '../../shared/contract/call.ts'
import type { StoredValues } from '../../shared/contract/field.ts'
import type { Entity } from '../../shared/contract/resource.ts'
import { ApiError } from '../../shared/errors.ts'
import { serve } from '../../shared/http/serve.ts'
import { customer } from '../../shared/resources/customer.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { subscription, subscriptionAfter } from '../../shared/resources/subscription.ts'
import { createWithDerived } from '../../shared/store/entities.ts'
import { creationOf } from '../../shared/store/operations.ts'
import { wrongOwnerDetail } from '../../shared/store/references.ts'

type Subscription = typeof subscription

/** Records the invoice and the subscription derived from it in one atomic write. */
const createInvoice: Work<typeof invoices.create> = async (call) => {
  const creation = await creationOf(call)
  const { id: invoiceId, content, referenced } = creation
  const { subscription_id: sentId } = call.body
  const next = (current: StoredValues<Subscription['fields']> | undefined) => {
    if (current && current.customer_id !== content.customer_id) {
      // An invoice of another customer has started the subscription since references were resolved.
      const reference = { path: 'subscription_id', resource: subscription, id: sentId }
      throw new ApiError('invalid', wrongOwnerDetail(reference, customer))
    }
    return subscriptionAfter(current, { ...content, invoiceId })
  }
  const derivation = {
    resource: subscription,
    id: content.subscription_id,
    externalId: String(sentId),
    parent: referenced.get('customer_id') as Entity,
    next,
  }
  const resolved = referenced.get('subscription_id') as Entity<Subscription> | undefined
  return createWithDerived(creation, derivation, resolved)
}

/** POST /api/invoices */
export const handler = serve(invoices.create, createInvoice)
