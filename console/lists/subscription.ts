import { planStart } from '../records/billed-plans.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { Amount } from '../text/format.ts'
import { columnsWithoutCustomer, columnsWithValues } from './columns.ts'
import { sumsOf } from './list-sums.ts'
import { movementRow } from './movements.ts'
import { invoiceRow, stateText, subscriptionRows } from './rows.ts'

/** The history of a subscription by the service's id; undefined if no invoice has a recurring line of it. */
export const subscriptionHistoryOf = (snapshot: Snapshot, id: string) => {
  const status = snapshot.figures().subscriptionsNow.find(({ subscription_id }) => subscription_id === id)
  if (!status) return undefined
  const invoicesOfCustomer = snapshot.invoicesByCustomer().get(status.customer_id) ?? []
  const invoices = invoicesOfCustomer
    .filter(({ subscription_id }) => subscription_id === id)
    .sort((a, b) => b.created - a.created)
  const rows = invoices.map((invoice) => invoiceRow(snapshot, invoice))
  const changes = snapshot
    .movementsOf(invoices)
    .map((movement) => movementRow(snapshot, movement))
    .toReversed()
  return {
    customer: { id: status.customer_id, name: snapshot.customerLabel(status.customer_id) },
    state: stateText(snapshot, status),
    since: status.since,
    /** When the current plans began, in seconds; undefined if the subscription has not had other plans. */
    planSince: planStart(invoices, new Set(status.holds.map(({ key }) => key))),
    until: status.until,
    plans: subscriptionRows(snapshot, status).map(({ cells }) => ({
      label: String(cells.plan),
      monthly: cells.monthly as Amount,
    })),
    changeColumns: columnsWithValues(columnsWithoutCustomer('movements'), changes),
    changes,
    columns: columnsWithValues(columnsWithoutCustomer('invoices'), rows),
    invoices: rows,
    sums: sumsOf(rows, snapshot.currencies()),
  }
}

export type SubscriptionAnswer = NonNullable<ReturnType<typeof subscriptionHistoryOf>>
