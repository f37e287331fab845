import { addDays, addMonths, dayIn } from './calendar.ts'
import { badQuarterOf, type DemoCustomer, taxPercentIn } from './customer.ts'
import { companyAddress } from './names.ts'
import type { Terms } from './subscription.ts'

/** Two large customers, whose revenue is worked out by hand in the tests. */

export const nordhafen = (firstMonth: number): DemoCustomer => {
  const joined = dayIn(firstMonth + 10, 12)
  const name = 'Nordhafen Umschlag'
  return {
    joined,
    body: {
      id: 'C-2001',
      name,
      email: companyAddress(name),
      created: joined,
      metadata: { country: 'DE', segment: 'enterprise' },
    },
    subscriptions: [
      {
        id: 'S-2001',
        currency: 'EUR',
        taxPercent: taxPercentIn('DE'),
        firstDay: joined,
        terms: { plan: 'business', seats: 60, interval: 'year' },
        changes: [
          {
            day: addDays(addMonths(joined, 17), 5),
            terms: { plan: 'business', seats: 85, interval: 'year' },
          },
        ],
        hasOnboarding: true,
      },
    ],
  }
}

export const verrault = (firstMonth: number): DemoCustomer => {
  const joined = dayIn(firstMonth + 5, 3)
  const name = 'Verrault Assurances'
  const badQuarter = badQuarterOf(firstMonth)
  const termsWithSeats = (seats: number): Terms => ({ plan: 'business', seats, interval: 'month' })
  return {
    joined,
    body: {
      id: 'C-2002',
      name,
      email: companyAddress(name),
      created: joined,
      metadata: { country: 'FR', segment: 'enterprise' },
    },
    subscriptions: [
      {
        id: 'S-2002',
        currency: 'EUR',
        taxPercent: taxPercentIn('FR'),
        firstDay: joined,
        terms: termsWithSeats(40),
        changes: [
          { day: dayIn(firstMonth + 14, 18), terms: termsWithSeats(60) },
          { day: dayIn(badQuarter + 1, 3), terms: termsWithSeats(42) },
          { day: dayIn(firstMonth + 30, 3), terms: termsWithSeats(95) },
        ],
        hasOnboarding: true,
      },
    ],
  }
}
