import type { Amount } from '../text/csv.ts'

/** A column of a list: how its cells are shown, sorted and exported. */
export interface Column {
  readonly key: string
  readonly title: string
  readonly kind: 'text' | 'day' | 'money' | 'count' | 'period'
  readonly link?: 'self' | 'customer'
}

export interface Row {
  readonly path: readonly [plural: string, id: string]
  readonly customer: string
  /** The currency of its amounts; only what a customer pays a month may be in another. */
  readonly currency: string
  readonly cells: Readonly<Record<string, string | number | Amount | null>>
}

export const columns = {
  customers: [
    { key: 'name', title: 'Customer', kind: 'text', link: 'self' },
    { key: 'email', title: 'E-mail', kind: 'text' },
    { key: 'external_id', title: 'Your id', kind: 'text' },
    { key: 'since', title: 'First invoice', kind: 'day' },
    { key: 'active', title: 'Active subscriptions', kind: 'count' },
    { key: 'monthly', title: 'Monthly value', kind: 'money' },
    { key: 'invoiced', title: 'Invoiced', kind: 'money' },
  ],
  invoices: [
    { key: 'created', title: 'Date', kind: 'day', link: 'self' },
    { key: 'customer', title: 'Customer', kind: 'text', link: 'customer' },
    { key: 'what', title: 'What', kind: 'text' },
    { key: 'start', title: 'Period', kind: 'period' },
    { key: 'external_id', title: 'Your id', kind: 'text' },
    { key: 'discount', title: 'Discount', kind: 'money' },
    { key: 'total', title: 'Total', kind: 'money' },
  ],
  subscriptions: [
    { key: 'customer', title: 'Customer', kind: 'text', link: 'customer' },
    { key: 'plan', title: 'Plan', kind: 'text', link: 'self' },
    { key: 'state', title: 'State', kind: 'text' },
    { key: 'since', title: 'Since', kind: 'day' },
    { key: 'until', title: 'Paid until', kind: 'day' },
    { key: 'monthly', title: 'Monthly value', kind: 'money' },
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>

/** A list that is made from the copy. */
export type ListName = keyof typeof columns
