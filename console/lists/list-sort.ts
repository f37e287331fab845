import type { Amount } from '../text/format.ts'
import type { ListRow } from './columns.ts'

type Value = ListRow['cells'][string] | undefined

export const isAmount = (value: Value): value is Amount => typeof value === 'object' && value !== null

/** Returns whether the sorted column has amounts, so that its rows are grouped by currency. */
export const isSortedByAmount = (rows: readonly ListRow[], sort: string): boolean => {
  const key = sort.replace(/^-/, '')
  return rows.some(({ cells }) => isAmount(cells[key]))
}

/** Returns the client's own id of a row's record or, without one, that of the service. */
const idOf = ({ cells, path: [, id] }: ListRow): string => String(cells.external_id ?? id)

/**
 * Sorts by a column, descending after a "-". Amounts of different currencies are not compared: the rows of a currency stay
 * together, in the order of `currencies`. Rows of equal values follow their ids, so that their order is the same at each load.
 * Rows without a value come last.
 */
export const sortRows = (
  rows: readonly ListRow[],
  sort: string,
  currencies: readonly string[],
): ListRow[] => {
  const key = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const rank = ({ currency }: Amount): number => currencies.indexOf(currency)
  const compare = (a: Value, b: Value): number => {
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    if (!isAmount(a) || !isAmount(b)) return sign * collator.compare(String(a), String(b))
    return rank(a) - rank(b) || sign * (a.amount - b.amount)
  }
  const isPresent = ({ cells }: ListRow): boolean => cells[key] !== null && cells[key] !== undefined
  const compareIds = (a: ListRow, b: ListRow): number => (idOf(a) < idOf(b) ? -1 : 1)
  const present = rows
    .filter(isPresent)
    .sort((a, b) => compare(a.cells[key], b.cells[key]) || sign * compareIds(a, b))
  const absent = rows.filter((row) => !isPresent(row))
  return [...present, ...absent]
}
