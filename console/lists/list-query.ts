import { customerChangeKinds, movementKinds } from '../figures/changes.ts'
import { facts } from '../text/facts.ts'
import { monthFrom, monthsFrom, TIME_SPAN_EXAMPLES, timeSpanFrom } from '../text/time-span.ts'
import { columnKeys, type ListName } from './columns.ts'

/** What a list asks for, as its address has it. */
export interface ListQuery {
  readonly list: ListName
  /** Words, amounts such as `> 1000` and metadata such as `country:DE` that rows have. */
  readonly text?: string | undefined
  /** The column to sort by, after "-" if descending. */
  readonly sort?: string | undefined
  readonly page?: string | undefined
  readonly within?: string | undefined
  readonly kind?: string | undefined
  /** The change of the customers in `month`, which is a month, a quarter or a year. */
  readonly moved?: string | undefined
  readonly month?: string | undefined
  /** The month in which subscriptions are expected to be renewed. */
  readonly renews?: string | undefined
  /** A fact of the coverage: only the invoices that it counts are listed. */
  readonly fact?: string | undefined
  readonly currency?: string | undefined
  /** A key of the customers' metadata, and one of its values. */
  readonly by?: string | undefined
  readonly segment?: string | undefined
}

/** The kinds by which a list can be filtered. */
export const listKinds: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  customers: {},
  invoices: { credits: 'Credits' },
  subscriptions: { active: 'Active', ended: 'Ended' },
}

const oneOf = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ')

interface Rule {
  readonly isValid: (value: string, list: ListName) => boolean
  readonly expected: (list: ListName) => string
}

const moves: readonly string[] = [...customerChangeKinds, ...movementKinds]

const factNames: readonly string[] = facts

const rules: Readonly<Record<string, Rule>> = {
  fact: {
    isValid: (value) => factNames.includes(value),
    expected: () => `one of ${oneOf(facts)}`,
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
  moved: { isValid: (value) => moves.includes(value), expected: () => `one of ${oneOf(moves)}` },
  kind: {
    isValid: (value, list) => Object.hasOwn(listKinds[list], value),
    expected: (list) => [oneOf(Object.keys(listKinds[list])), 'absent'].filter(Boolean).join(', or '),
  },
  sort: {
    isValid: (value, list) => columnKeys(list).includes(value.replace(/^-/, '')),
    expected: (list) => `one of ${oneOf(columnKeys(list))}, after "-" for descending order`,
  },
  page: { isValid: (value) => /^[1-9]\d{0,8}$/.test(value), expected: () => 'a number from 1' },
}

/** The names of the parameters of a list from the copy. */
export const listParameters = [...Object.keys(rules), 'text', 'segment']

/** Returns what is wrong with a value in the address of a list, in one sentence; undefined if nothing is. */
export const faultOfListValue = (list: ListName, name: string, value: string): string | undefined => {
  const rule = rules[name]
  if (!rule || rule.isValid(value, list)) return undefined
  return `${name} must be ${rule.expected(list)}.`
}
