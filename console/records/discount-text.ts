import { counted, money } from '../text/format.ts'

export interface DiscountTerms {
  readonly percent_off: number | null
  /** In minor units; null if the discount is a percentage. */
  readonly amount_off: number | null
  readonly currency: string
  readonly duration: string
  readonly duration_in_months: number | null
}

/** Returns the terms of a discount, such as `20% off, forever`, `€5.00 off, once` or `10% off, for 3 months`. */
export const discountTermsText = (discount: DiscountTerms): string => {
  const { percent_off, amount_off, currency, duration, duration_in_months } = discount
  const reduction = percent_off === null ? money(amount_off ?? 0, currency) : `${percent_off}%`
  const durationText =
    duration === 'repeating' ? `for ${counted(duration_in_months ?? 0, 'month')}` : duration
  return `${reduction} off, ${durationText}`
}
