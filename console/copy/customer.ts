import type { Books } from './books.ts'
import { invoiceRow, subscriptionRows } from './rows.ts'

/** Returns what a customer was invoiced, holds and pays, by either of their ids; undefined if the copy does not have them. */
export const customerOf = (books: Books, id: string) => {
  const customer = books.find(id)
  if (!customer) return undefined
  const invoices = (books.invoicesOf().get(customer.id) ?? []).toSorted((a, b) => b.created - a.created)
  const standings = books.figures().subscriptionsNow.filter(({ customer_id }) => customer_id === customer.id)
  const amounts = books.figures().invoicedByCustomer.flatMap(({ currency, rows }) => {
    const row = rows.find(({ key }) => key === customer.id)
    return row ? [{ currency, amount: row.amount }] : []
  })
  const held = Map.groupBy(
    standings.flatMap(({ holds }) => holds),
    ({ currency }) => currency,
  )
  return {
    customer,
    name: books.labelOf(customer.id),
    invoiced: amounts,
    monthly: [...held].map(([currency, of]) => ({
      currency,
      amount: of.reduce((sum, { monthly }) => sum + monthly, 0),
    })),
    active: standings.filter(({ active }) => active).length,
    latest: invoices[0]?.created,
    since: invoices.at(-1)?.created,
    subscriptions: standings.flatMap((standing) => subscriptionRows(books, standing)),
    invoices: invoices.map((invoice) => invoiceRow(books, invoice)),
  }
}

export type CustomerAnswer = NonNullable<ReturnType<typeof customerOf>>
