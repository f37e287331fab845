import type { CreateDiscount } from '../../client/index.ts'

export interface Coupon {
  readonly id: string
  readonly name: string
  readonly percent: number
  /** The number of months in which it applies; Infinity for all. */
  readonly months: number
}

export const welcome: Coupon = { id: 'welcome', name: 'Welcome', percent: 10, months: 1 }
export const launch: Coupon = { id: 'launch', name: 'Launch offer', percent: 20, months: 3 }
export const partner: Coupon = {
  id: 'partner',
  name: 'Partner',
  percent: 15,
  months: Number.POSITIVE_INFINITY,
}

const discountOf = ({ id, name, percent, months }: Coupon): CreateDiscount => {
  const common = { id, name, percent_off: percent, currency: 'EUR' }
  if (months === 1) return { ...common, duration: 'once' }
  if (months === Number.POSITIVE_INFINITY) return { ...common, duration: 'forever' }
  return { ...common, duration: 'repeating', duration_in_months: months }
}

export const businessDiscounts: readonly CreateDiscount[] = [welcome, launch, partner].map(discountOf)
