import { reasonNames } from '../records/reason-text.ts'
import { facts } from '../text/facts.ts'
import { changeText, customerChangeKinds, movementKinds } from '../text/format.ts'
import {
  MONTHS_EXAMPLES,
  monthFrom,
  monthsFrom,
  TIME_SPAN_EXAMPLES,
  timeSpanFrom,
} from '../text/time-span.ts'
import { columnKeys, type ListName } from './columns.ts'

/** The query of a list, which consists of the parameters of its address. */
export interface ListQuery {
  readonly list: ListName
  /** The text filter: words, amounts such as `> 1000` and metadata such as `country:DE`. */
  readonly text?: string | undefined
  /** The column to sort by, after "-" if descending. */
  readonly sort?: string | undefined
  readonly page?: string | undefined
  readonly within?: string | undefined
  readonly kind?: string | undefined
  /** A kind of change: only the movements of the customers with it, in all currencies together, are listed. */
  readonly customers?: string | undefined
  /** The key of a plan: only its movements are listed. */
  readonly plan?: string | undefined
  /** A kind of reason: only the movements that have it are listed. */
  readonly reason?: string | undefined
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

export const listKinds: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  customers: {},
  invoices: { credits: 'Credit notes' },
  subscriptions: { active: 'Active', late: 'Renewal late', ended: 'Ended' },
  movements: Object.fromEntries(movementKinds.map((kind) => [kind, changeText(kind)])),
}

const quotedList = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ')

interface Rule {
  readonly isValid: (value: string, list: ListName) => boolean
  readonly expected: (list: ListName) => string
}

const changeKinds: readonly string[] = customerChangeKinds

const factNames: readonly string[] = facts

const rules: Readonly<Record<string, Rule>> = {
  fact: { isValid: (value) => factNames.includes(value), expected: () => `one of ${quotedList(facts)}` },
  within: {
    // A movement compares the ends of two months, so it has a month but no day.
    isValid: (value, list) => (list === 'movements' ? monthsFrom : timeSpanFrom)(value) !== undefined,
    expected: (list) => (list === 'movements' ? MONTHS_EXAMPLES : TIME_SPAN_EXAMPLES),
  },
  renews: { isValid: (value) => monthFrom(value) !== undefined, expected: () => 'a month such as 2026-12' },
  customers: {
    isValid: (value) => changeKinds.includes(value),
    expected: () => `one of ${quotedList(changeKinds)}`,
  },
  reason: {
    isValid: (value) => Object.hasOwn(reasonNames, value),
    expected: () => `one of ${quotedList(Object.keys(reasonNames))}`,
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

export const listParameters = [...Object.keys(rules), 'text', 'segment', 'discount', 'plan']

export const faultOfListValue = (list: ListName, name: string, value: string): string | undefined => {
  const rule = rules[name]
  if (!rule || rule.isValid(value, list)) return undefined
  return `${name} must be ${rule.expected(list)}.`
}
