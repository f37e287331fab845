import type { CreateCustomer } from '../../client/index.ts'
import type { Day } from './calendar.ts'
import type { SubscriptionHistory } from './subscription.ts'

export type Segment = 'freelancer' | 'small business' | 'mid-market' | 'enterprise'

export interface BusinessCustomer {
  readonly joined: Day
  readonly body: CreateCustomer & { readonly id: string; readonly created: Day }
  readonly subscriptions: readonly SubscriptionHistory[]
}

interface CustomerFields {
  readonly number: number
  readonly name: string
  readonly email: string
  readonly country: string
  readonly segment: Segment
  readonly joined: Day
}

export const customerWith = (
  { number, name, email, country, segment, joined }: CustomerFields,
  subscriptions: readonly SubscriptionHistory[],
): BusinessCustomer => ({
  joined,
  body: { id: `C-${number}`, name, email, created: joined, metadata: { country, segment } },
  subscriptions,
})

/**
 * In percent. It is a German business; companies in other countries pay the tax of their country themselves.
 */
export const taxPercentIn = (country: string): number => (country === 'DE' ? 19 : 0)

/** The business does badly in this quarter of its second year. Months are counted from January 1970. */
export const badQuarterOf = (firstMonth: number): number => {
  const month = firstMonth + 21
  return month - (month % 3)
}
