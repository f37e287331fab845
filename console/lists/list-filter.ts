import { minorUnitDigits } from '../../shared/money/minor-units.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { Amount } from '../text/amount.ts'
import { containing, fold } from '../text/fold.ts'
import type { ListName, Row } from './columns.ts'

/** What is typed into the filter of a list: words, amounts such as `> 1000`, and metadata such as `country:DE`. */

const AMOUNT = /(?:^|\s)(<=|>=|<|>|=)\s*(-?\d[\d,]*(?:\.\d+)?)(?=\s|$)/g
const METADATA = /(?:^|\s)([^\s:]+):(\S+)/g

/** The amount of a row that the filter compares. */
const comparedColumn: Readonly<Record<ListName, readonly string[]>> = {
  customers: ['change', 'invoiced'],
  invoices: ['total'],
  subscriptions: ['expected', 'monthly'],
}

type Comparison = (value: number) => boolean

const comparisonOf = (operator: string, amount: number): Comparison => {
  const comparisons: Readonly<Record<string, Comparison>> = {
    '<': (value) => value < amount,
    '<=': (value) => value <= amount,
    '>': (value) => value > amount,
    '>=': (value) => value >= amount,
    '=': (value) => value === amount,
  }
  return comparisons[operator]!
}

/** Returns what a text asks for. A word with a colon is metadata only if customers have its key. */
const partsOf = (text: string, keys: ReadonlySet<string>) => {
  const comparisons: Comparison[] = []
  const metadata: { readonly key: string; readonly value: string }[] = []
  const withoutAmounts = text.replace(AMOUNT, (_, operator: string, digits: string) => {
    comparisons.push(comparisonOf(operator, Number(digits.replaceAll(',', ''))))
    return ' '
  })
  const words = withoutAmounts.replace(METADATA, (all, key: string, value: string) => {
    if (!keys.has(key)) return all
    metadata.push({ key, value: fold(value) })
    return ' '
  })
  return { comparisons, metadata, words: words.trim() }
}

/** Returns an amount in its currency's own unit, such as 49.5. */
const inMajorUnits = ({ amount, currency }: Amount): number => amount / 10 ** minorUnitDigits(currency)

const amountOf = (list: ListName, { cells }: Row): number | undefined => {
  const key = comparedColumn[list].find((name) => cells[name])
  const value = key === undefined ? undefined : cells[key]
  return typeof value === 'object' && value !== null ? inMajorUnits(value) : undefined
}

/** Returns a function that tests whether a typed text means a record: by all of its words, or by the beginning of its id. */
export const meaning = (typed: string): ((folded: string, id: string) => boolean) => {
  const matches = containing(typed)
  const text = fold(typed.trim())
  // All ids of a kind begin with the same letters, up to the "_".
  const isId = text.includes('_')
  return (folded, id) => matches(folded) || (isId && fold(id).startsWith(text))
}

/** Returns the text of a row that words are looked for in: for customers that of the search, whose results the list continues. */
const searchedText = (
  snapshot: Snapshot,
  list: ListName,
  { path, customer, cells, currency }: Row,
): string => {
  const customerText = snapshot.customerSearchText(customer)
  if (list === 'customers') return customerText
  const { plan, external_id } = cells
  const invoiceTexts =
    list === 'invoices' ? [snapshot.linesText(path[1]), snapshot.discountText(path[1])] : []
  return `${customerText} ${fold([plan, external_id, currency, ...invoiceTexts].join(' '))}`
}

/** Returns a function that tests whether a row of a list is one that a typed text asks for. */
export const filterOf = (snapshot: Snapshot, list: ListName, text: string): ((row: Row) => boolean) => {
  const keys = new Set(snapshot.metadataKeys())
  const { comparisons, metadata, words } = partsOf(text, keys)
  const isMeant = meaning(words)
  const hasAmount = (row: Row): boolean => {
    if (comparisons.length === 0) return true
    const amount = amountOf(list, row)
    return amount !== undefined && comparisons.every((compare) => compare(amount))
  }
  const hasMetadata = ({ customer }: Row): boolean =>
    metadata.every(({ key, value }) => fold(snapshot.segmentOf(customer, key)) === value)
  return (row) =>
    hasAmount(row) &&
    hasMetadata(row) &&
    (words === '' || isMeant(searchedText(snapshot, list, row), row.path[1]))
}
