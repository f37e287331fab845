import type { Seed } from '../testing/options.ts'
import { randomFrom } from '../testing/scenario/random.ts'
import { addDays, addMonths, type Day, dayIn, monthOf } from './calendar.ts'
import { launch, partner, welcome } from './coupons.ts'
import { addressOfCompany, addressOfPerson, markets } from './names.ts'
import type { Currency } from './plans.ts'
import type { Change, Sold, Subscription } from './subscription.ts'

/** Who the customers of the demo business are, and what becomes of their subscriptions. */

type Segment = 'freelancer' | 'small business' | 'mid-market' | 'enterprise'
export type CreateCustomer = NonNullable<Seed['customers']>[number]

/** A customer as they are recorded, and their subscriptions. */
export interface Customer {
  readonly joined: Day
  readonly body: CreateCustomer & { readonly id: string; readonly created: Day }
  readonly subscriptions: readonly Subscription[]
}

interface Person {
  readonly name: string
  readonly email: string
  readonly country: string
  readonly currency: Currency
  readonly isCompany: boolean
}

type Random = () => number

const FIRST_CUSTOMER_NUMBER = 1001
/** The German value-added tax. Companies in other countries pay the tax of their country themselves. */
const TAX_PERCENT: Readonly<Record<string, number>> = { DE: 19 }
const CHURN_A_MONTH = 0.03
const CHURN_A_YEAR = 0.15

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

const people: readonly Person[] = markets.flatMap(({ companies, people, ...market }) => [
  ...companies.map((name) => ({ ...market, name, email: addressOfCompany(name), isCompany: true })),
  ...people.map((name) => ({ ...market, name, email: addressOfPerson(name), isCompany: false })),
])

/** Returns a list in an order that is always the same. */
const shuffled = <Value>(values: readonly Value[]): Value[] => {
  const random = randomFrom(31)
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}

/** Returns the first month of the calendar quarter in which the business does badly, in its second year. */
export const badQuarterOf = (firstMonth: number): number => {
  const month = firstMonth + 21
  return month - (month % 3)
}

/** Returns how many customers join in a month of the business. */
const joinsIn = (month: number, firstMonth: number, random: Random): number => {
  const badQuarter = badQuarterOf(firstMonth)
  if (month >= badQuarter && month < badQuarter + 3) return 1
  return month < firstMonth + 12 ? between(random, 2, 4) : between(random, 3, 5)
}

/** Returns the days on which the first `count` customers join, in order. */
const joiningDays = (count: number, firstMonth: number): Day[] => {
  const random = randomFrom(34)
  const days: Day[] = []
  for (let month = firstMonth; days.length < count; month += 1) {
    const joins = Array.from({ length: joinsIn(month, firstMonth, random) }, () =>
      dayIn(month, between(random, 1, 31)),
    )
    days.push(...joins.sort())
  }
  return days.slice(0, count)
}

const segmentOf = ({ isCompany }: Person, random: Random): Segment => {
  const share = random()
  if (!isCompany) return 'freelancer'
  if (share < 0.55) return 'small business'
  return share < 0.87 ? 'mid-market' : 'enterprise'
}

const soldTo = (segment: Segment, random: Random): Sold => {
  const interval = random() < (segment === 'freelancer' ? 0.5 : 0.65) ? 'year' : 'month'
  const isSmallest = random() < 0.35
  if (segment === 'enterprise') return { plan: 'business', seats: between(random, 18, 32), interval: 'year' }
  if (segment === 'mid-market')
    return isSmallest
      ? { plan: 'business', seats: between(random, 6, 14), interval }
      : { plan: 'team', seats: between(random, 10, 24), interval }
  if (segment === 'freelancer' || isSmallest) return { plan: 'starter', seats: 1, interval }
  return { plan: 'team', seats: between(random, 3, 9), interval }
}

/** Returns what a customer who grows buys next. */
const more = (sold: Sold, random: Random): Sold => {
  if (sold.plan === 'starter') return { ...sold, plan: 'team', seats: between(random, 4, 6) }
  if (sold.plan === 'team' && random() < 0.35) return { ...sold, plan: 'business' }
  return { ...sold, seats: sold.seats + between(random, 2, 6) }
}

const fewer = (sold: Sold): Sold => ({ ...sold, seats: Math.max(1, Math.floor((sold.seats * 2) / 3)) })

/** Returns the changes of a subscription. More seats are added at any time, fewer are ordered at a renewal. */
const changesOf = (starts: Day, sold: Sold, random: Random): Change[] => {
  const changes: Change[] = []
  const isYearly = sold.interval === 'year'
  const current = () => changes.at(-1)?.to ?? sold
  const firstGrowth = between(random, 2, 10)
  if (random() < 0.4)
    changes.push({
      on: addDays(addMonths(starts, firstGrowth), between(random, 4, 20)),
      to: more(current(), random),
    })
  if (random() < 0.25)
    changes.push({
      on: addDays(addMonths(starts, firstGrowth + between(random, 5, 12)), between(random, 4, 20)),
      to: more(current(), random),
    })
  const renewal = isYearly ? 24 : 23 + between(random, 1, 4)
  if (random() < 0.2) changes.push({ on: addMonths(starts, renewal), to: fewer(current()) })
  else if (!isYearly && random() < 0.3)
    changes.push({ on: addMonths(starts, renewal), to: { ...current(), interval: 'year' } })
  return changes
}

/** Returns how many periods a customer pays for who leaves after each with the same chance. */
const periodsUntilChurn = (chance: number, random: Random): number =>
  1 + Math.floor(Math.log(1 - random()) / Math.log(1 - chance))

/** Returns the day on which a customer leaves. Those who pay monthly are more likely to leave in the bad quarter. */
const endOf = (starts: Day, sold: Sold, badQuarter: number, random: Random): Day => {
  if (sold.interval === 'year') return addMonths(starts, 12 * periodsUntilChurn(CHURN_A_YEAR, random))
  const usual = addMonths(starts, 1 + periodsUntilChurn(CHURN_A_MONTH, random))
  const leavesInBadQuarter = random() < 0.45
  const monthsUntilThen = badQuarter + between(random, 0, 2) - monthOf(starts)
  const badEnd = addMonths(starts, Math.max(1, monthsUntilThen))
  return leavesInBadQuarter && monthsUntilThen > 0 && badEnd < usual ? badEnd : usual
}

/** Returns the day on which a few who pay yearly leave in the middle of a year, and get back what is unused of it. */
const refundDayOf = (starts: Day, { interval }: Sold, random: Random): Day | undefined => {
  const day = addDays(addMonths(starts, between(random, 4, 20)), between(random, 3, 18))
  return interval === 'year' && random() < 0.12 ? day : undefined
}

const couponOf = (sold: Sold, random: Random) => {
  const share = random()
  if (share < 0.1) return welcome
  if (share < 0.2 && sold.interval === 'month') return launch
  return share > 0.93 ? partner : undefined
}

/** Returns the main subscription of a customer, and possibly one for support. */
const subscriptionsOf = (
  number: number,
  { person, segment, joined }: { person: Person; segment: Segment; joined: Day },
  badQuarter: number,
): Subscription[] => {
  const random = randomFrom(number)
  const sold = soldTo(segment, random)
  const changes = changesOf(joined, sold, random)
  const refundDay = refundDayOf(joined, sold, randomFrom(number + 20_000))
  const regularEnd = endOf(joined, sold, badQuarter, random)
  const isRefunded = refundDay !== undefined && refundDay < regularEnd
  const ends = isRefunded ? refundDay : regularEnd
  const pausedFrom = addMonths(joined, between(random, 3, 12))
  const hasPause = random() < 0.2 && sold.interval === 'month'
  const common = { currency: person.currency, taxPercent: TAX_PERCENT[person.country] ?? 0, ends }
  const main: Subscription = {
    ...common,
    id: `S-${number}`,
    starts: joined,
    sold,
    changes,
    isRefunded,
    pause: hasPause ? { from: pausedFrom, until: addMonths(pausedFrom, between(random, 1, 2)) } : undefined,
    coupon: couponOf(sold, random),
    goodwill:
      random() < 0.1 ? addDays(addMonths(joined, between(random, 2, 9)), between(random, 2, 20)) : undefined,
    hasOnboarding: segment === 'enterprise',
  }
  const supportStarts = addDays(addMonths(joined, between(random, 2, 8)), between(random, 0, 20))
  const hasSupport = random() < 0.15 && (segment === 'mid-market' || segment === 'enterprise')
  if (!hasSupport) return [main]
  const supportSold: Sold = { plan: 'support', seats: 1, interval: 'month' }
  return [
    main,
    { ...common, id: `S-${number}-support`, starts: supportStarts, sold: supportSold, changes: [] },
  ]
}

const customerOf = (person: Person, number: number, joined: Day, badQuarter: number): Customer => {
  const segment = segmentOf(person, randomFrom(number + 10_000))
  const { name, email, country } = person
  return {
    joined,
    body: { id: `C-${number}`, name, email, created: joined, metadata: { country, segment } },
    subscriptions: subscriptionsOf(number, { person, segment, joined }, badQuarter),
  }
}

/** A large customer in the north of Germany, who pays yearly and grows within the second year. */
const nordhafen = (firstMonth: number): Customer => {
  const joined = dayIn(firstMonth + 10, 12)
  const name = 'Nordhafen Umschlag'
  return {
    joined,
    body: {
      id: 'C-2001',
      name,
      email: addressOfCompany(name),
      created: joined,
      metadata: { country: 'DE', segment: 'enterprise' },
    },
    subscriptions: [
      {
        id: 'S-2001',
        currency: 'EUR',
        taxPercent: TAX_PERCENT.DE!,
        starts: joined,
        sold: { plan: 'business', seats: 60, interval: 'year' },
        changes: [
          { on: addDays(addMonths(joined, 17), 5), to: { plan: 'business', seats: 85, interval: 'year' } },
        ],
        hasOnboarding: true,
      },
    ],
  }
}

/** A large customer in France, who pays monthly, has fewer seats in the bad quarter, and grows again. */
const verrault = (firstMonth: number): Customer => {
  const joined = dayIn(firstMonth + 5, 3)
  const name = 'Verrault Assurances'
  const badQuarter = badQuarterOf(firstMonth)
  const seats = (count: number): Sold => ({ plan: 'business', seats: count, interval: 'month' })
  return {
    joined,
    body: {
      id: 'C-2002',
      name,
      email: addressOfCompany(name),
      created: joined,
      metadata: { country: 'FR', segment: 'enterprise' },
    },
    subscriptions: [
      {
        id: 'S-2002',
        currency: 'EUR',
        taxPercent: 0,
        starts: joined,
        sold: seats(40),
        changes: [
          { on: dayIn(firstMonth + 14, 18), to: seats(60) },
          { on: dayIn(badQuarter + 1, 3), to: seats(42) },
          { on: dayIn(firstMonth + 30, 3), to: seats(95) },
        ],
        hasOnboarding: true,
      },
    ],
  }
}

/** Returns the customers of a business that began in `firstMonth`, counted from January 1970, in the order of their joining. */
export const customersOf = (firstMonth: number): Customer[] => {
  const badQuarter = badQuarterOf(firstMonth)
  const order = shuffled(people)
  const days = joiningDays(order.length, firstMonth)
  const others = order.map((person, index) =>
    customerOf(person, FIRST_CUSTOMER_NUMBER + index, days[index]!, badQuarter),
  )
  const all = [...others, nordhafen(firstMonth), verrault(firstMonth)]
  return all.sort((a, b) => a.joined.localeCompare(b.joined))
}
