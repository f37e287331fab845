import { minorUnitDigits } from '../../shared/money/minor-units.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { containing, fold } from '../text/fold.ts'
import type { Amount } from '../text/format.ts'
import { amountKeys, type ListColumn, type ListName, type ListRow } from './columns.ts'

/** The text filter of a list: words, amounts such as `> 1000` and `tax = 0`, and metadata such as `country:DE`. */

/**
 * Matches a comparison such as `>= 1,000.50` and the word before it, which may name the amount, as in `tax = 0`. It does not
 * match `1.000` and `649,74`, which are other amounts in other languages.
 */
const AMOUNT =
  /(?:^|\s)(?:(\p{L}+)\s*)?(<=|>=|<|>|=)\s*([-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(?!\d{3}(?:\s|$))\d+)?)(?=\s|$)/gu
const METADATA = /(?:^|\s)([^\s:]+):(\S+|\s+[^\s:]+(?=\s|$))/g

/** The columns whose amount the filter compares if it names none. The first one that a row has is used. */
const comparedColumns: Readonly<Record<ListName, readonly string[]>> = {
  customers: ['invoiced'],
  invoices: ['total'],
  subscriptions: ['expected', 'monthly'],
  movements: ['change'],
}

export const comparedTitle = (list: ListName, columns: readonly ListColumn[]): string | undefined =>
  columns.find(({ key }) => comparedColumns[list].includes(key))?.title

interface Comparison {
  readonly key: string | undefined
  readonly isTrue: (value: number) => boolean
}

const testOf = (operator: string, amount: number): Comparison['isTrue'] => {
  const comparisons: Readonly<Record<string, Comparison['isTrue']>> = {
    '<': (value) => value < amount,
    '<=': (value) => value <= amount,
    '>': (value) => value > amount,
    '>=': (value) => value >= amount,
    '=': (value) => value === amount,
  }
  return comparisons[operator]!
}

interface Names {
  readonly amounts: ReadonlySet<string>
  /** The keys of the customers' metadata by their folded texts. */
  readonly metadata: ReadonlyMap<string, string>
}

/**
 * A word before a comparison names an amount only if the list has it, and a word with a colon is metadata only if customers
 * have its key.
 */
const parseFilter = (text: string, names: Names) => {
  const comparisons: Comparison[] = []
  const metadata: { readonly key: string; readonly value: string }[] = []
  const withoutAmounts = text.replace(AMOUNT, (_, word: string = '', operator: string, digits: string) => {
    const key = fold(word)
    const isName = names.amounts.has(key)
    const amount = Number(digits.replaceAll(',', '').replace('−', '-'))
    comparisons.push({ key: isName ? key : undefined, isTrue: testOf(operator, amount) })
    return isName ? ' ' : ` ${word} `
  })
  const words = withoutAmounts.replace(METADATA, (match, typedKey: string, value: string) => {
    const key = names.metadata.get(fold(typedKey))
    if (key === undefined) return match
    metadata.push({ key, value: fold(value.trim()) })
    return ' '
  })
  return { comparisons, metadata, words: words.trim() }
}

const inMajorUnits = ({ amount, currency }: Amount): number => amount / 10 ** minorUnitDigits(currency)

const amountOf = (list: ListName, { cells }: ListRow, named: string | undefined): number | undefined => {
  const key = named ?? comparedColumns[list].find((name) => cells[name])
  const value = key === undefined ? undefined : cells[key]
  return typeof value === 'object' && value !== null ? inMajorUnits(value) : undefined
}

/** A record matches if its folded search text contains all words, or its id begins with the text. */
export const textMatcher = (typed: string): ((searchText: string, id: string) => boolean) => {
  const containsWords = containing(typed)
  const text = fold(typed.trim())
  // The ids of a resource begin with the same prefix, up to the "_". A part of the prefix would match all of them.
  const isId = text.includes('_')
  return (searchText, id) => containsWords(searchText) || (isId && fold(id).startsWith(text))
}

/** The text in which a row is searched. For customers it is the text of the search box, whose results the list continues. */
const searchTextOfRow = (
  snapshot: Snapshot,
  list: ListName,
  { path, customer, cells, currency }: ListRow,
): string => {
  const customerText = snapshot.customerSearchText(customer)
  if (list === 'customers') return customerText
  const { plan, external_id, why } = cells
  const id = path[1]
  const ownText = list === 'invoices' ? snapshot.invoiceSearchText(id) : snapshot.ownSubscriptionId(id)
  return `${customerText} ${fold([plan, external_id, why, currency, ownText].join(' '))}`
}

export const filterOf = (snapshot: Snapshot, list: ListName, text: string): ((row: ListRow) => boolean) => {
  const { comparisons, metadata, words } = parseFilter(text, {
    amounts: amountKeys(list),
    metadata: new Map(snapshot.metadataKeys().map((key) => [fold(key), key])),
  })
  const matchesWords = textMatcher(words)
  const matchesAmounts = (row: ListRow): boolean =>
    comparisons.every(({ key, isTrue }) => {
      const amount = amountOf(list, row, key)
      return amount !== undefined && isTrue(amount)
    })
  const matchesMetadata = ({ customer }: ListRow): boolean =>
    metadata.every(({ key, value }) => fold(snapshot.segmentOf(customer, key)) === value)
  return (row) =>
    matchesAmounts(row) &&
    matchesMetadata(row) &&
    (words === '' || matchesWords(searchTextOfRow(snapshot, list, row), row.path[1]))
}
