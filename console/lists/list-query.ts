import { customerChangeKinds, movementKinds } from '../figures/changes.ts'
import { facts } from '../text/facts.ts'
import { monthFrom, monthsFrom, TIME_SPAN_EXAMPLES, timeSpanFrom } from '../text/time-span.ts'
import { columnKeys, type ListName } from './columns.ts'

/** The query of a list, which consists of the parameters of its address. */
export interface ListQuery {
  readonly list: ListName
  /** The text filter: words, amounts such as `> 1000` and metadata such as `country:DE`. */
  readonly text?: string | undefined
  /** The column to sort by, after "-" if descending. */
  readonly sort?: string | undefined
  /** The number of the page, from 1. */
  readonly page?: string | undefined
  /** The time span of the list's date. */
  readonly within?: string | undefined
  /** A kind of records, such as "credits". */
  readonly kind?: string | undefined
  /** A kind of change: only customers with it in `month`, which is a month, a quarter or a year, are listed. */
  readonly moved?: string | undefined
  readonly month?: string | undefined
  /** The month in which subscriptions are expected to be renewed. */
  readonly renews?: string | undefined
  /** A fact of the coverage: only the invoices that it counts are listed. */
  readonly fact?: string | undefined
  /** The service's id of a discount: only the invoices that have it are listed. */
  readonly discount?: string | undefined
  readonly currency?: string | undefined
  /** The key of the customers' metadata that has a column. */
  readonly by?: string | undefined
  /** A value of this key: only the rows of customers with this value are listed. */
  readonly segment?: string | undefined
}

/** The kinds by which a list can be filtered. */
export const listKinds: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  customers: {},
  invoices: { credits: 'Credit notes' },
  subscriptions: { active: 'Active', ended: 'Ended' },
}

const quotedList = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ')

/** The rule for the value of a parameter. */
interface Rule {
  readonly isValid: (value: string, list: ListName) => boolean
  readonly expected: (list: ListName) => string
}

const changeKinds: readonly string[] = [...customerChangeKinds, ...movementKinds]

const factNames: readonly string[] = facts

const rules: Readonly<Record<string, Rule>> = {
  fact: {
    isValid: (value) => factNames.includes(value),
    expected: () => `one of ${quotedList(facts)}`,
  },
  within: {
    isValid: (value) => timeSpanFrom(value) !== undefined,
    expected: () => TIME_SPAN_EXAMPLES,
  },
  renews: { isValid: (value) => monthFrom(value) !== undefined, expected: () => 'a month such as 2026-12' },
  month: {
    isValid: (value) => monthsFrom(value) !== undefined,
    expected: () => 'a month such as 2026-10, a quarter such as 2026-Q4 or a year such as 2026',
  },
  moved: {
    isValid: (value) => changeKinds.includes(value),
    expected: () => `one of ${quotedList(changeKinds)}`,
  },
  kind: {
    isValid: (value, list) => Object.hasOwn(listKinds[list], value),
    expected: (list) => [quotedList(Object.keys(listKinds[list])), 'absent'].filter(Boolean).join(', or '),
  },
  sort: {
    isValid: (value, list) => columnKeys(list).includes(value.replace(/^-/, '')),
    expected: (list) => `one of ${quotedList(columnKeys(list))}, after "-" for descending order`,
  },
  page: { isValid: (value) => /^[1-9]\d{0,8}$/.test(value), expected: () => 'a number from 1' },
}

/** The names of the parameters of a list from the copy. */
export const listParameters = [...Object.keys(rules), 'text', 'segment', 'discount']

/** Returns an error message for the value of a parameter in the address of a list; undefined if the value is valid. */
export const faultOfListValue = (list: ListName, name: string, value: string): string | undefined => {
  const rule = rules[name]
  if (!rule || rule.isValid(value, list)) return undefined
  return `${name} must be ${rule.expected(list)}.`
}
