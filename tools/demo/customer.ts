import type { Seed } from '../testing/options.ts'
import type { Day } from './calendar.ts'
import type { Subscription } from './subscription.ts'

export type CreateCustomer = NonNullable<Seed['customers']>[number]

export interface Customer {
  readonly joined: Day
  readonly body: CreateCustomer & { readonly id: string; readonly created: Day }
  readonly subscriptions: readonly Subscription[]
}
