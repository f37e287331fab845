import { addDays, addMonths, type Day, dayIn } from './calendar.ts'
import { type BusinessCustomer, badQuarterOf, customerWith, taxPercentIn } from './customer.ts'
import { companyAddress } from './names.ts'
import type { SubscriptionHistory, Terms } from './subscription.ts'

/** Two large customers, whose revenue is worked out by hand in the tests. */

interface LargeCustomer extends Pick<SubscriptionHistory, 'terms' | 'changes' | 'usageDay'> {
  readonly number: number
  readonly name: string
  readonly country: string
  readonly joined: Day
}

const largeCustomer = ({ number, name, country, joined, ...subscription }: LargeCustomer): BusinessCustomer =>
  customerWith({ number, name, email: companyAddress(name), country, segment: 'enterprise', joined }, [
    {
      ...subscription,
      id: `S-${number}`,
      currency: 'EUR',
      taxPercent: taxPercentIn(country),
      firstDay: joined,
      hasOnboarding: true,
    },
  ])

export const nordhafen = (firstMonth: number): BusinessCustomer => {
  const joined = dayIn(firstMonth + 10, 12)
  const termsWithSeats = (seats: number): Terms => ({ plan: 'business', seats, interval: 'year' })
  return largeCustomer({
    number: 2001,
    name: 'Nordhafen Umschlag',
    country: 'DE',
    joined,
    terms: termsWithSeats(60),
    changes: [{ day: addDays(addMonths(joined, 17), 5), terms: termsWithSeats(85) }],
    usageDay: dayIn(firstMonth + 30, 1),
  })
}

export const verrault = (firstMonth: number): BusinessCustomer => {
  const termsWithSeats = (seats: number): Terms => ({ plan: 'business', seats, interval: 'month' })
  return largeCustomer({
    number: 2002,
    name: 'Verrault Assurances',
    country: 'FR',
    joined: dayIn(firstMonth + 5, 3),
    terms: termsWithSeats(40),
    changes: [
      { day: dayIn(firstMonth + 14, 18), terms: termsWithSeats(60) },
      { day: dayIn(badQuarterOf(firstMonth) + 1, 3), terms: termsWithSeats(42) },
      { day: dayIn(firstMonth + 30, 3), terms: termsWithSeats(95) },
    ],
  })
}
