import fc from 'fast-check'
import type { Invoice } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf } from './invoices.ts'

/** Random businesses with whole monthly and yearly periods, for the tests of properties. */

/** A subscription that starts on a day of a month and is paid for some periods. Months are counted from January 1970. */
export interface Contract {
  readonly customer: string
  readonly subscription: string
  readonly currency: string
  readonly plan: string
  readonly amount: number
  readonly interval: 'month' | 'year'
  readonly month: number
  readonly day: number
  readonly second: number
  readonly periods: number
}

/** January 2024. */
export const FIRST = 648

const contract: fc.Arbitrary<Contract> = fc.record({
  customer: fc.constantFrom('ann', 'bob', '__proto__'),
  subscription: fc.constantFrom('first', 'second'),
  currency: fc.constantFrom('EUR', 'JPY'),
  plan: fc.constantFrom('Basic', 'Pro', 'constructor'),
  amount: fc.oneof(fc.constant(0), fc.integer({ min: -500, max: 200_000 })),
  interval: fc.constantFrom('month', 'month', 'year'),
  month: fc.integer({ min: FIRST, max: FIRST + 20 }),
  day: fc.integer({ min: 1, max: 28 }),
  second: fc.integer({ min: 0, max: 86_399 }).filter((second) => second % 60 !== 59),
  periods: fc.integer({ min: 1, max: 8 }),
})

export const business = fc.array(contract, { minLength: 1, maxLength: 8 })

const at = ({ day, second }: Contract, month: number): number => Date.UTC(1970, month, day) / 1000 + second

/** Returns the periods of a contract. */
export const periodsOf = (of: Contract) => {
  const months = of.interval === 'year' ? 12 : 1
  return Array.from({ length: of.periods }, (_, index) => ({
    period_start: at(of, of.month + index * months),
    period_end: at(of, of.month + (index + 1) * months),
  }))
}

export const lineFor = ({ amount, interval, plan }: Contract) =>
  lineOf({ amount, interval, price: { ...priceOf(plan), interval } as never })

/** Returns the invoices of contracts, one for each period. */
export const invoicesFor = (contracts: readonly Contract[]): Invoice[] =>
  contracts.flatMap((of) =>
    periodsOf(of).map((period) =>
      invoiceOf({
        ...{ currency: of.currency, customer_id: of.customer, total: of.amount, ...period },
        subscription_id: `${of.customer} ${of.subscription}`,
        created: period.period_start,
        line_items: [{ ...lineFor(of), ...period }],
      }),
    ),
  )
