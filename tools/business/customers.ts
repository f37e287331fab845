import { type Day, dayIn } from './calendar.ts'
import { type BusinessCustomer, badQuarterOf, customerWith, type Segment, taxPercentIn } from './customer.ts'
import { nordhafen, verrault } from './large-customers.ts'
import { companyAddress, markets, personAddress } from './names.ts'
import type { Currency } from './plans.ts'
import { integerBetween, type Random, randomFrom, shuffled } from './random.ts'
import { subscriptionsOf } from './subscription-history.ts'

interface Prospect {
  readonly name: string
  readonly email: string
  readonly country: string
  readonly currency: Currency
  readonly isCompany: boolean
}

const FIRST_CUSTOMER_NUMBER = 1001

const JOINING_SEED = 34
/** So that the random numbers of the segment and of the subscriptions differ. */
const SEGMENT_SEED_OFFSET = 10_000

const prospects: readonly Prospect[] = markets.flatMap(({ companies, people, ...market }) => [
  ...companies.map((name) => ({ ...market, name, email: companyAddress(name), isCompany: true })),
  ...people.map((name) => ({ ...market, name, email: personAddress(name), isCompany: false })),
])

const joinsIn = (month: number, firstMonth: number, random: Random): number => {
  const badQuarter = badQuarterOf(firstMonth)
  if (month >= badQuarter && month < badQuarter + 3) return 1
  return month < firstMonth + 12 ? integerBetween(random, 2, 4) : integerBetween(random, 3, 5)
}

const joiningDays = (count: number, firstMonth: number): Day[] => {
  const random = randomFrom(JOINING_SEED)
  const days: Day[] = []
  for (let month = firstMonth; days.length < count; month += 1) {
    const joins = Array.from({ length: joinsIn(month, firstMonth, random) }, () =>
      dayIn(month, integerBetween(random, 1, 31)),
    )
    days.push(...joins.sort())
  }
  return days.slice(0, count)
}

const segmentOf = ({ isCompany }: Prospect, random: Random): Segment => {
  const share = random()
  if (!isCompany) return 'freelancer'
  if (share < 0.55) return 'small business'
  return share < 0.87 ? 'mid-market' : 'enterprise'
}

const customerOf = (
  prospect: Prospect,
  number: number,
  joined: Day,
  badQuarter: number,
): BusinessCustomer => {
  const segment = segmentOf(prospect, randomFrom(number + SEGMENT_SEED_OFFSET))
  const { currency, country } = prospect
  const subscriber = { number, segment, currency, taxPercent: taxPercentIn(country), joined }
  return customerWith({ ...prospect, number, segment, joined }, subscriptionsOf(subscriber, badQuarter))
}

/** In the order in which they join, the same in every run. Months are counted from January 1970. */
export const customersOf = (firstMonth: number): BusinessCustomer[] => {
  const badQuarter = badQuarterOf(firstMonth)
  const order = shuffled(prospects)
  const days = joiningDays(order.length, firstMonth)
  const customers = order.map((prospect, index) =>
    customerOf(prospect, FIRST_CUSTOMER_NUMBER + index, days[index]!, badQuarter),
  )
  customers.push(nordhafen(firstMonth), verrault(firstMonth))
  return customers.sort((a, b) => a.joined.localeCompare(b.joined))
}
