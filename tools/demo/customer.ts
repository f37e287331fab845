import type { Seed } from '../testing/options.ts'
import type { Day } from './calendar.ts'
import type { SubscriptionHistory } from './subscription.ts'

export type CreateCustomer = NonNullable<Seed['customers']>[number]

export interface DemoCustomer {
  readonly joined: Day
  readonly body: CreateCustomer & { readonly id: string; readonly created: Day }
  readonly subscriptions: readonly SubscriptionHistory[]
}

/**
 * In percent. It is a German business; companies in other countries pay the tax of their country themselves.
 */
export const taxPercentIn = (country: string): number => (country === 'DE' ? 19 : 0)

/** The business does badly in this quarter of its second year. Months are counted from January 1970. */
export const badQuarterOf = (firstMonth: number): number => {
  const month = firstMonth + 21
  return month - (month % 3)
}
