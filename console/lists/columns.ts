import type { MovementKind } from '../../client/analytics/index.ts'
import { capitalised } from '../../shared/text/capitalised.ts'
import { type Amount, segmentName } from '../text/format.ts'

export interface ListColumn {
  readonly key: string
  readonly title: string
  /** How its cells are shown, sorted and exported. */
  readonly kind: 'text' | 'day' | 'month' | 'money' | 'count' | 'period'
  /** The page to which its cells lead: the page of the row, to which the whole row leads, or that of its customer. */
  readonly link?: 'self' | 'customer'
  /** Whether its amounts are changes, which have a sign. */
  readonly isChange?: boolean
  /** Whether its amounts hold at one time each, so that their sum says nothing. */
  readonly isUnsummed?: boolean
  /** Whether its texts are cut if there is no space. */
  readonly isCut?: boolean
  /**
   * Where it stands on a phone, where a row has two lines: name and amount, and below them a note and what stands at its end. A
   * column without a place, or with "wide", is only on a wide screen.
   */
  readonly phone?: 'name' | 'amount' | 'note' | 'side' | 'wide' | undefined
}

export interface ListRow {
  readonly path: readonly [plural: string, id: string]
  readonly customer: string
  /** The currency of its amounts; empty if it has none. */
  readonly currency: string
  readonly movement?: MovementKind
  readonly cells: Readonly<Record<string, string | number | Amount | null>>
}

const columns = {
  customers: [
    { key: 'name', title: 'Customer', kind: 'text', link: 'self', phone: 'name' },
    { key: 'email', title: 'Email', kind: 'text', isCut: true, phone: 'note' },
    { key: 'external_id', title: 'Your id', kind: 'text', phone: 'wide' },
    { key: 'since', title: 'First invoice', kind: 'day' },
    { key: 'active', title: 'Active subscriptions', kind: 'count', phone: 'wide' },
    { key: 'monthly', title: 'Monthly value, net', kind: 'money', phone: 'amount' },
    { key: 'billed', title: 'Billed, all time, net', kind: 'money', phone: 'side' },
    { key: 'invoiced', title: 'Invoiced, all time, with tax', kind: 'money' },
  ],
  invoices: [
    { key: 'created', title: 'Date', kind: 'day', phone: 'note' },
    { key: 'external_id', title: 'Number', kind: 'text', link: 'self', phone: 'note' },
    { key: 'customer', title: 'Customer', kind: 'text', link: 'customer', phone: 'name' },
    { key: 'what', title: 'Description', kind: 'text', isCut: true },
    { key: 'start', title: 'Period', kind: 'period', phone: 'wide' },
    { key: 'discount', title: 'Discount', kind: 'money', phone: 'wide' },
    { key: 'net', title: 'Net', kind: 'money', phone: 'side' },
    { key: 'tax', title: 'Tax', kind: 'money' },
    { key: 'total', title: 'Total', kind: 'money', phone: 'amount' },
  ],
  subscriptions: [
    { key: 'customer', title: 'Customer', kind: 'text', link: 'customer', phone: 'name' },
    { key: 'plan', title: 'Plan', kind: 'text', link: 'self', isCut: true, phone: 'note' },
    { key: 'state', title: 'State', kind: 'text', phone: 'side' },
    { key: 'since', title: 'Since', kind: 'day' },
    { key: 'until', title: 'Billed until', kind: 'day', phone: 'wide' },
    { key: 'monthly', title: 'Monthly value, net', kind: 'money', phone: 'amount' },
  ],
  movements: [
    { key: 'month', title: 'Month', kind: 'month', phone: 'side' },
    { key: 'customer', title: 'Customer', kind: 'text', link: 'self', phone: 'name' },
    { key: 'kind', title: 'Movement', kind: 'text', phone: 'note' },
    { key: 'plan', title: 'Plan', kind: 'text', phone: 'note' },
    { key: 'why', title: 'Reason', kind: 'text', isCut: true, phone: 'note' },
    { key: 'since', title: 'Since', kind: 'month' },
    { key: 'before', title: 'Before, a month', kind: 'money', isUnsummed: true },
    { key: 'after', title: 'After', kind: 'money', isUnsummed: true },
    { key: 'change', title: 'Change', kind: 'money', isChange: true, phone: 'amount' },
  ],
} as const satisfies Readonly<Record<string, readonly ListColumn[]>>

export type ListName = keyof typeof columns

const renewalColumns: readonly ListColumn[] = [
  { key: 'customer', title: 'Customer', kind: 'text', link: 'customer', phone: 'name' },
  { key: 'plan', title: 'Plan', kind: 'text', link: 'self', isCut: true, phone: 'note' },
  { key: 'renews', title: 'Renewal due', kind: 'day', phone: 'side' },
  { key: 'expected', title: 'Expected, net', kind: 'money', phone: 'amount' },
]

export const isListName = (name: string): name is ListName => Object.hasOwn(columns, name)

const segmentColumn = (key: string): ListColumn => ({
  key: 'segment',
  title: capitalised(segmentName(key).replaceAll('_', ' ')),
  kind: 'text',
})

interface ColumnParameters {
  /** The key of the customers' metadata that has a column. */
  readonly by?: string | undefined
  /** The month by whose expected renewals subscriptions are listed. */
  readonly renews?: string | undefined
}

const columnsWithoutSegment = (list: ListName, { renews }: ColumnParameters): readonly ListColumn[] => {
  if (list === 'subscriptions' && renews) return renewalColumns
  return columns[list]
}

/** Returns the columns of a list. The column of segments follows the column of customers. */
export const columnsOf = (list: ListName, parameters: ColumnParameters = {}): readonly ListColumn[] => {
  const { by: segmentKey } = parameters
  const columnsOfList = columnsWithoutSegment(list, parameters)
  if (!segmentKey) return columnsOfList
  const customerIndex = columnsOfList.findIndex(({ key }) => key === 'customer' || key === 'name')
  return columnsOfList.toSpliced(customerIndex + 1, 0, segmentColumn(segmentKey))
}

/** The columns that take the place of the customer's name on a phone, where all rows are of one customer. */
const namesWithoutCustomer: readonly string[] = ['what', 'plan', 'kind']

/** The columns of a list for the page of a customer or a subscription. */
export const columnsWithoutCustomer = (list: ListName): ListColumn[] => {
  const columnsOfList = columnsOf(list).filter(({ key }) => key !== 'customer')
  const name = columnsOfList.find(({ key }) => namesWithoutCustomer.includes(key))
  return columnsOfList.map((column) => (column === name ? { ...column, phone: 'name' } : column))
}

const possibleColumns = (list: ListName): readonly ListColumn[] => [
  ...columnsOf(list, { by: 'any' }),
  ...columnsOf(list, { renews: 'any' }),
]

export const columnKeys = (list: ListName): string[] => [
  ...new Set(possibleColumns(list).map(({ key }) => key)),
]

export const amountKeys = (list: ListName): ReadonlySet<string> =>
  new Set(possibleColumns(list).flatMap(({ key, kind }) => (kind === 'money' ? [key] : [])))

const isEmpty = (value: ListRow['cells'][string] | undefined): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'object' && value.amount === 0)

/** Returns the columns that have a value in any of the rows. A column of amounts that are all 0 has none. */
export const columnsWithValues = (shown: readonly ListColumn[], rows: readonly ListRow[]): ListColumn[] =>
  shown.filter(({ key }) => rows.some(({ cells }) => !isEmpty(cells[key])))
