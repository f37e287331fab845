import { minorUnitDigits } from '../../shared/money/minor-units.ts'
import type { Amount } from './amount.ts'

/** The locale of numbers. The page is in English, and filters are typed as it shows them: so it is the reader's kind of English. */
const locale = globalThis.navigator?.languages?.find((each) => /^en\b/.test(each)) ?? 'en-US'

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

// As text an amount is exact, whatever its size.
const exact = (amount: number, currency: string) =>
  `${amount}E-${minorUnitDigits(currency)}` as Intl.StringNumericLiteral

/** Returns an amount of minor units; without a currency, the bare number. */
export const money = (amount: number, currency: string | null | undefined): string =>
  currency ? currencyFormat(currency, 'standard').format(exact(amount, currency)) : number(amount)

/** Returns amounts of minor units in several currencies, separated by commas; a dash without amounts. */
export const amountsText = (amountsByCurrency: readonly Amount[]): string =>
  amountsByCurrency.map(({ amount, currency }) => money(amount, currency)).join(', ') || '–'

/** Returns an amount in few characters, such as `€60K`, for the axis of a plot; without a currency, the bare number. */
export const roundMoney = (amount: number, currency: string | undefined): string =>
  currency ? currencyFormat(currency, 'compact').format(exact(Math.round(amount), currency)) : number(amount)

/**
 * Returns an amount as digits with a point, such as `-1234.50`, for other programs. Made from the text of the amount, so
 * that it is exact.
 */
export const decimal = (amount: number, currency: string): string => {
  const digits = minorUnitDigits(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0 ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

const numberFormat = new Intl.NumberFormat(locale)

/** Returns a number in the reader's digits. */
export const number = (value: number): string => numberFormat.format(value)

/** Returns a number with its noun, in the plural unless it is 1. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${number(count)} ${count === 1 ? noun : plural}`

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** Returns a share of 1 in percent. */
export const percent = (share: number): string => percentFormat.format(share)

/** Returns the relative change of an amount, such as `▲ 5%`; undefined if it was 0 or less. */
export const changeFrom = (then: number, now: number): string | undefined => {
  if (then <= 0) return undefined
  const sign = now > then ? '▲' : now < then ? '▼' : '='
  return `${sign} ${percent(Math.abs(now - then) / then)}`
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

const changes: Readonly<Record<string, string>> = {
  new: 'joined',
  reactivated: 'came back',
  lost: 'left',
  began: 'joined',
  reactivation: 'came back',
  churn: 'left',
  expansion: 'paying more',
  contraction: 'paying less',
}

/** Returns what customers did, by the kind of their change. A customer who left in the running month may only not have renewed yet. */
export const changeText = (kind: string, isRunning: boolean): string => {
  const isLoss = kind === 'lost' || kind === 'churn'
  return `${changes[kind] ?? kind}${isLoss && isRunning ? ' or not yet renewed' : ''}`
}

/** Returns a text with a capital letter at the beginning. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns a name of the API in plain words: `customer_id` is "Customer". */
export const plainName = (name: string): string => {
  if (name === 'external_id') return 'Your id'
  return capitalised(name.replace(/_id$/, '').replaceAll('_', ' '))
}

/** Returns the beginning of a text of any length. */
export const beginning = (text: string, max: number): string =>
  text.length > max ? `${[...text.slice(0, max)].slice(0, -1).join('')}…` : text
