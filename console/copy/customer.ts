import type { Customer, Entity } from './entities.ts'
import { invoiceRow, subscriptionRows } from './rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Returns what a customer was invoiced, holds and pays, by either of their ids; undefined if the copy does not have them. */
export const customerOf = (snapshot: Snapshot, id: string) => {
  const customer = snapshot.find(id)
  if (!customer) return undefined
  const invoices = (snapshot.invoicesOf().get(customer.id) ?? []).toSorted((a, b) => b.created - a.created)
  const subscriptions = snapshot
    .figures()
    .subscriptionsNow.filter(({ customer_id }) => customer_id === customer.id)
  const amounts = snapshot.figures().invoicedByCustomer.flatMap(({ currency, rows }) => {
    const row = rows.find(({ key }) => key === customer.id)
    return row ? [{ currency, amount: row.amount }] : []
  })
  const held = Map.groupBy(
    subscriptions.flatMap(({ holds }) => holds),
    ({ currency }) => currency,
  )
  const { changed, first, ...shown } = customer as Customer & Entity
  return {
    /** As the service returns them: when they changed is of the copy alone. */
    customer: shown,
    name: snapshot.labelOf(customer.id),
    invoiced: amounts,
    monthly: [...held].map(([currency, of]) => ({
      currency,
      amount: of.reduce((sum, { monthly }) => sum + monthly, 0),
    })),
    subscriptionCount: subscriptions.length,
    active: subscriptions.filter(({ active }) => active).length,
    latest: invoices[0]?.created,
    since: invoices.at(-1)?.created,
    /** A row for each currency of a subscription. */
    subscriptions: subscriptions.flatMap((subscription) => subscriptionRows(snapshot, subscription)),
    invoices: invoices.map((invoice) => invoiceRow(snapshot, invoice)),
  }
}

export type CustomerAnswer = NonNullable<ReturnType<typeof customerOf>>
