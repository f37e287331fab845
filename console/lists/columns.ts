import type { Amount } from '../text/amount.ts'
import { capitalised } from '../text/format.ts'

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
  /** The currency of its amounts; empty if it has none. */
  readonly currency: string
  readonly cells: Readonly<Record<string, string | number | Amount | null>>
}

const columns = {
  customers: [
    { key: 'name', title: 'Customer', kind: 'text', link: 'self' },
    { key: 'email', title: 'Email', kind: 'text' },
    { key: 'external_id', title: 'Your id', kind: 'text' },
    { key: 'since', title: 'First invoice', kind: 'day' },
    { key: 'active', title: 'Active subscriptions', kind: 'count' },
    { key: 'monthly', title: 'Monthly value, net', kind: 'money' },
    { key: 'billed', title: 'Billed, all time, net', kind: 'money' },
    { key: 'invoiced', title: 'Invoiced, all time, with tax', kind: 'money' },
  ],
  invoices: [
    { key: 'created', title: 'Date', kind: 'day', link: 'self' },
    { key: 'external_id', title: 'Number', kind: 'text', link: 'self' },
    { key: 'customer', title: 'Customer', kind: 'text', link: 'customer' },
    { key: 'what', title: 'What', kind: 'text' },
    { key: 'start', title: 'Period', kind: 'period' },
    { key: 'discount', title: 'Discount', kind: 'money' },
    { key: 'net', title: 'Net', kind: 'money' },
    { key: 'tax', title: 'Tax', kind: 'money' },
    { key: 'total', title: 'Total', kind: 'money' },
  ],
  subscriptions: [
    { key: 'customer', title: 'Customer', kind: 'text', link: 'customer' },
    { key: 'plan', title: 'Plan', kind: 'text', link: 'self' },
    { key: 'state', title: 'State', kind: 'text' },
    { key: 'since', title: 'Since', kind: 'day' },
    { key: 'until', title: 'Paid until', kind: 'day' },
    { key: 'monthly', title: 'Monthly value, net', kind: 'money' },
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>

/** A list that is made from the copy. */
export type ListName = keyof typeof columns

/** The columns of customers whose recurring revenue changed in a month. */
const movementColumns: readonly Column[] = [
  { key: 'name', title: 'Customer', kind: 'text', link: 'self' },
  { key: 'external_id', title: 'Your id', kind: 'text' },
  { key: 'before', title: 'Before, a month', kind: 'money' },
  { key: 'after', title: 'After, a month', kind: 'money' },
  { key: 'change', title: 'Difference', kind: 'money' },
  { key: 'why', title: 'Why', kind: 'text' },
]

/** The columns of the invoices that are expected of subscriptions. */
const renewalColumns: readonly Column[] = [
  { key: 'customer', title: 'Customer', kind: 'text', link: 'customer' },
  { key: 'plan', title: 'Plan', kind: 'text', link: 'self' },
  { key: 'renews', title: 'Renews', kind: 'day' },
  { key: 'expected', title: 'Expected, net', kind: 'money' },
]

export const isListName = (name: string): name is ListName => Object.hasOwn(columns, name)

/** The column of a segment, which is the value of a key of the customer's metadata. */
const segmentColumn = (key: string): Column => ({
  key: 'segment',
  title: capitalised(key.replaceAll('_', ' ')),
  kind: 'text',
})

interface Chosen {
  /** The key of the customers' metadata that a column shows. */
  readonly by?: string | undefined
  /** The change that the customers of the list have made. */
  readonly moved?: string | undefined
  /** The month in which the subscriptions of the list are expected to be renewed. */
  readonly renews?: string | undefined
}

const columnsWithoutSegment = (list: ListName, { moved, renews }: Chosen): readonly Column[] => {
  if (list === 'customers' && moved) return movementColumns
  return list === 'subscriptions' && renews ? renewalColumns : columns[list]
}

/** Returns the columns of a list. That of a segment follows the customer's. */
export const columnsOf = (list: ListName, chosen: Chosen = {}): readonly Column[] => {
  const { by: segmentKey } = chosen
  const shown = columnsWithoutSegment(list, chosen)
  if (!segmentKey) return shown
  const after = shown.findIndex(({ key }) => key === 'customer' || key === 'name') + 1
  return shown.toSpliced(after, 0, segmentColumn(segmentKey))
}

/** Returns the keys of all columns that a list can have. */
export const columnKeys = (list: ListName): string[] => {
  const all = [
    ...columnsOf(list, { by: 'any' }),
    ...columnsOf(list, { moved: 'any' }),
    ...columnsOf(list, { renews: 'any' }),
  ]
  return [...new Set(all.map(({ key }) => key))]
}
