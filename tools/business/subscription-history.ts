import { addDays, addMonths, type Day, monthOfDay } from './calendar.ts'
import { type Coupon, launch, partner, welcome } from './coupons.ts'
import type { Segment } from './customer.ts'
import type { Currency } from './plans.ts'
import { integerBetween, type Random, randomFrom } from './random.ts'
import type { SubscriptionHistory, Terms, TermsChange } from './subscription.ts'

interface Subscriber {
  readonly number: number
  readonly segment: Segment
  readonly currency: Currency
  readonly taxPercent: number
  readonly joined: Day
}

/** After each period. */
const CHURN_PER_MONTH = 0.03
const CHURN_PER_YEAR = 0.15

/** Of support, before its first month is billed. */
const TRIAL_DAYS = 14

/** Added to the number of a customer, so that a refund takes no random numbers from the other calls. */
const REFUND_SEED_OFFSET = 20_000

const firstTerms = (segment: Segment, random: Random): Terms => {
  const interval = random() < (segment === 'freelancer' ? 0.5 : 0.65) ? 'year' : 'month'
  const isSmallest = random() < 0.35
  if (segment === 'enterprise')
    return { plan: 'business', seats: integerBetween(random, 18, 32), interval: 'year' }
  if (segment === 'mid-market')
    return isSmallest
      ? { plan: 'business', seats: integerBetween(random, 6, 14), interval }
      : { plan: 'team', seats: integerBetween(random, 10, 24), interval }
  if (segment === 'freelancer' || isSmallest) return { plan: 'starter', seats: 1, interval }
  return { plan: 'team', seats: integerBetween(random, 3, 9), interval }
}

const largerTerms = (terms: Terms, random: Random): Terms => {
  if (terms.plan === 'starter') return { ...terms, plan: 'team', seats: integerBetween(random, 4, 6) }
  if (terms.plan === 'team' && random() < 0.35) return { ...terms, plan: 'business' }
  return { ...terms, seats: terms.seats + integerBetween(random, 2, 6) }
}

const termsWithFewerSeats = (terms: Terms): Terms => ({
  ...terms,
  seats: Math.max(1, Math.floor((terms.seats * 2) / 3)),
})

/** Seats are added at any time; the number is reduced only at a renewal. */
const changesOf = (firstDay: Day, terms: Terms, random: Random): TermsChange[] => {
  const changes: TermsChange[] = []
  const isYearly = terms.interval === 'year'
  const currentTerms = () => changes.at(-1)?.terms ?? terms
  const monthsUntilGrowth = integerBetween(random, 2, 10)
  if (random() < 0.4)
    changes.push({
      day: addDays(addMonths(firstDay, monthsUntilGrowth), integerBetween(random, 4, 20)),
      terms: largerTerms(currentTerms(), random),
    })
  if (random() < 0.25)
    changes.push({
      day: addDays(
        addMonths(firstDay, monthsUntilGrowth + integerBetween(random, 5, 12)),
        integerBetween(random, 4, 20),
      ),
      terms: largerTerms(currentTerms(), random),
    })
  const monthsUntilRenewal = isYearly ? 24 : 23 + integerBetween(random, 1, 4)
  if (random() < 0.2)
    changes.push({ day: addMonths(firstDay, monthsUntilRenewal), terms: termsWithFewerSeats(currentTerms()) })
  else if (!isYearly && random() < 0.3)
    changes.push({
      day: addMonths(firstDay, monthsUntilRenewal),
      terms: { ...currentTerms(), interval: 'year' },
    })
  return changes
}

/** If they leave after each period with the same probability. */
const periodsUntilChurn = (probability: number, random: Random): number =>
  1 + Math.floor(Math.log(1 - random()) / Math.log(1 - probability))

/** Customers who pay monthly are more likely to leave in the bad quarter. */
const regularCancellationDay = (firstDay: Day, terms: Terms, badQuarter: number, random: Random): Day => {
  if (terms.interval === 'year') return addMonths(firstDay, 12 * periodsUntilChurn(CHURN_PER_YEAR, random))
  const usual = addMonths(firstDay, 1 + periodsUntilChurn(CHURN_PER_MONTH, random))
  const leavesInBadQuarter = random() < 0.45
  const monthsUntilBadQuarter = badQuarter + integerBetween(random, 0, 2) - monthOfDay(firstDay)
  const inBadQuarter = addMonths(firstDay, Math.max(1, monthsUntilBadQuarter))
  return leavesInBadQuarter && monthsUntilBadQuarter > 0 && inBadQuarter < usual ? inBadQuarter : usual
}

/** For a customer who pays yearly and leaves within a year; undefined for most. */
const refundDayOf = (firstDay: Day, { interval }: Terms, random: Random): Day | undefined => {
  const day = addDays(addMonths(firstDay, integerBetween(random, 4, 20)), integerBetween(random, 3, 18))
  return interval === 'year' && random() < 0.12 ? day : undefined
}

const couponFor = (terms: Terms, random: Random): Coupon | undefined => {
  const share = random()
  if (share < 0.1) return welcome
  if (share < 0.2 && terms.interval === 'month') return launch
  return share > 0.93 ? partner : undefined
}

/** The main one, and possibly one for support; the same in every run. */
export const subscriptionsOf = (
  { number, segment, currency, taxPercent, joined }: Subscriber,
  badQuarter: number,
): SubscriptionHistory[] => {
  // The order of these calls determines the subscriptions, because each takes the next random numbers.
  const random = randomFrom(number)
  const terms = firstTerms(segment, random)
  const changes = changesOf(joined, terms, random)
  const refundDay = refundDayOf(joined, terms, randomFrom(number + REFUND_SEED_OFFSET))
  const regularEnd = regularCancellationDay(joined, terms, badQuarter, random)
  const isRefunded = refundDay !== undefined && refundDay < regularEnd
  const pauseStart = addMonths(joined, integerBetween(random, 3, 12))
  const hasPause = random() < 0.2 && terms.interval === 'month'
  const pause = hasPause
    ? { start: pauseStart, end: addMonths(pauseStart, integerBetween(random, 1, 2)) }
    : undefined
  const coupon = couponFor(terms, random)
  const goodwillDay =
    random() < 0.1
      ? addDays(addMonths(joined, integerBetween(random, 2, 9)), integerBetween(random, 2, 20))
      : undefined
  const common = { currency, taxPercent, cancellationDay: isRefunded ? refundDay : regularEnd }
  const main: SubscriptionHistory = {
    ...common,
    id: `S-${number}`,
    firstDay: joined,
    terms,
    changes,
    isRefunded,
    pause,
    coupon,
    goodwillDay,
    hasOnboarding: segment === 'enterprise',
  }
  const supportStart = addDays(addMonths(joined, integerBetween(random, 2, 8)), integerBetween(random, 0, 20))
  const hasSupport = random() < 0.15 && (segment === 'mid-market' || segment === 'enterprise')
  if (!hasSupport) return [main]
  const support: SubscriptionHistory = {
    ...common,
    id: `S-${number}-support`,
    firstDay: supportStart,
    trialStart: addDays(supportStart, -TRIAL_DAYS),
    terms: { plan: 'support', seats: 1, interval: 'month' },
    changes: [],
  }
  return [main, support]
}
