import { type Currency, currencies } from './plans.ts'
import { randomFrom } from './random.ts'

export const MONTHS = 24

/** Months are counted from the first month of the scenario, which is 0; Infinity means never. */
export interface CustomerHistory {
  readonly number: number
  /** Of the scenario, counted from January 1970. */
  readonly firstMonth: number
  readonly currency: Currency
  readonly start: number
  /** The month in which they upgrade from Basic to Pro, in its middle. */
  readonly upgrade: number
  /** The first month in which they are no longer a customer. */
  readonly end: number
  readonly credit: number
  readonly hasWelcomeDiscount: boolean
  readonly hasTrial: boolean
  readonly isYearly: boolean
  /** The first of two months without an invoice. */
  readonly pause: number
  readonly secondStart: number
}

/** The same in every run. */
export const historyOf = (number: number, firstMonth: number): CustomerHistory => {
  const random = randomFrom(number)
  /** With a probability; otherwise never. */
  const monthAfter = (month: number, probability: number, span: number) =>
    random() < probability ? month + 1 + Math.floor(random() * span) : Number.POSITIVE_INFINITY
  // The order of these calls determines the scenario, because each takes the next random numbers.
  const start = Math.floor(random() * (MONTHS - 4))
  const currency = currencies[Math.floor(random() * currencies.length)]!
  const upgrade = monthAfter(start, 0.4, 8)
  const end = monthAfter(start, 0.35, 14)
  const credit = monthAfter(start, 0.2, 6)
  const hasWelcomeDiscount = random() < 0.3
  const hasTrial = random() < 0.3 && start > 0
  const isYearly = random() < 0.2
  const pause = monthAfter(start + 1, 0.25, 8)
  const secondStart = monthAfter(start, 0.25, 6)
  return {
    number,
    firstMonth,
    currency,
    start,
    upgrade,
    end,
    credit,
    hasWelcomeDiscount,
    hasTrial,
    isYearly,
    pause,
    secondStart,
  }
}
