import { minorUnitDigits } from '../../shared/money/minor-units.ts'
import { capitalised } from '../../shared/text/capitalised.ts'

/** An amount of minor units of a currency. */
export interface Amount {
  readonly amount: number
  readonly currency: string
}

/** The name of the plan of lines without a price. */
export const NO_PLAN_NAME = 'No plan named'

/**
 * The first kind of English among the reader's languages, by default American English: the page is in English, and its filters
 * read numbers in that notation.
 */
const locale = globalThis.navigator?.languages?.find((language) => /^en\b/.test(language)) ?? 'en-US'

const currencyFormats = new Map<string, Intl.NumberFormat>()

const currencyFormat = (currency: string, notation: 'standard' | 'compact'): Intl.NumberFormat => {
  const key = `${currency} ${notation}`
  const digits = minorUnitDigits(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format =
    currencyFormats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      notation,
      ...(notation === 'standard' ? fraction : {}),
    })
  currencyFormats.set(key, format)
  return format
}

/** Such as `4950E-2` for 49.50, which `Intl` formats without rounding it to a float. */
const exactText = (amount: number, currency: string) =>
  `${amount}E-${minorUnitDigits(currency)}` as Intl.StringNumericLiteral

/** Writes the sign of a negative number as a minus (U+2212), which is as wide as a plus, instead of a hyphen. */
const withMinus = (text: string): string => text.replace('-', '−')

/** Returns an amount of minor units with its currency; without a currency, the number alone. */
export const money = (amount: number, currency: string | null | undefined): string =>
  currency
    ? withMinus(currencyFormat(currency, 'standard').format(exactText(amount, currency)))
    : number(amount)

/** Returns a change of an amount with its sign, such as `+€70.00`. */
export const signedMoney = (amount: number, currency: string | undefined): string =>
  `${amount > 0 ? '+' : ''}${money(amount, currency)}`

/** Returns an amount without its currency, for the columns of a list in one currency. */
export const plainAmount = (amount: number, currency: string): string => {
  const parts = currencyFormat(currency, 'standard').formatToParts(exactText(amount, currency))
  const digits = parts.filter(({ type }) => type !== 'currency' && type !== 'literal')
  return withMinus(digits.map(({ value }) => value).join(''))
}

/** Returns amounts of minor units in several currencies, separated by commas; a dash without amounts. */
export const amountsText = (amountsByCurrency: readonly Amount[]): string =>
  amountsByCurrency.map(({ amount, currency }) => money(amount, currency)).join(', ') || '–'

/** An amount in few characters, such as `€60K`, for the axis of a plot; without a currency, the number alone. */
export const roundMoney = (amount: number, currency: string | undefined): string =>
  currency
    ? withMinus(currencyFormat(currency, 'compact').format(exactText(Math.round(amount), currency)))
    : number(amount)

/** Such as `-1234.50`, for other programs, made from the digits of the amount, so that it is exact. */
export const decimal = (amount: number, currency: string): string => {
  const digits = minorUnitDigits(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0 ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

const numberFormat = new Intl.NumberFormat(locale)

export const number = (value: number): string => withMinus(numberFormat.format(value))

/** Returns a number with its noun, in the plural unless it is 1. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${number(count)} ${count === 1 ? noun : plural}`

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** Returns a share as a percentage: `25%` for 0.25. */
export const percentText = (share: number): string => withMinus(percentFormat.format(share))

/** Returns the relative change of an amount, such as `▲ 5%`; undefined if the earlier amount is 0 or less. */
export const changeFrom = (earlier: number, current: number): string | undefined => {
  if (earlier <= 0) return undefined
  const change = percentText(Math.abs(current - earlier) / earlier)
  if (current === earlier) return `=\u00A0${change}`
  return `${current > earlier ? '▲' : '▼'}\u00A0${change}`
}

const recurrences: Readonly<Record<string, string>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
}

/** Returns how often something recurs, such as `monthly` or `every 3 months`. */
export const recurrence = (interval: string, count: number | null): string =>
  (count ?? 1) === 1 ? (recurrences[interval] ?? interval) : `every ${number(count!)} ${interval}s`

export const monthsText = (months: number | undefined): string => `${months ?? 'all'} months`

/** The kinds of movements, in the order of their stack. */
export const movementKinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const

export const customerChangeKinds = ['new', 'reactivated', 'lost'] as const

/** The words for changes of customers and of their recurring revenue, by their names in addresses and figures. */
const changes: Readonly<Record<string, string>> = {
  new: 'New',
  reactivated: 'Reactivated',
  reactivation: 'Reactivated',
  expansion: 'Expansion',
  contraction: 'Contraction',
  lost: 'Lost',
  churn: 'Lost',
}

/** A customer whose renewal is more than three days late counts as lost, until the renewal is recorded. */
export const changeText = (kind: string, isCurrentMonth = false): string => {
  const text = changes[kind] ?? kind
  return `${text}${text === 'Lost' && isCurrentMonth ? ' or over 3 days late' : ''}`
}

/** Returns the name of a key of the customers' metadata, which tells a key named "plan" from the plan. */
export const segmentName = (key: string): string => (/^plan$/i.test(key) ? `${key} (metadata)` : key)

/** Returns the label of a name of the API: "Customer" for `customer_id`. */
export const plainName = (name: string): string => {
  if (name === 'external_id') return 'Your id'
  return capitalised(name.replace(/_id$/, '').replaceAll('_', ' '))
}

export const beginning = (text: string, max: number): string =>
  text.length > max ? `${[...text.slice(0, max)].slice(0, -1).join('')}…` : text
