import { counted, money, recurrence } from '../text/format.ts'
import type { RecordedEntity } from './entities.ts'

interface Labelled {
  readonly id: string
  readonly name?: unknown
  readonly title?: unknown
  readonly external_id?: unknown
}

/** The label of an entity: its name, its title or the user's own id for it, or otherwise the service's id. */
export const entityLabel = ({ id, name, title, external_id }: Labelled): string =>
  String(name ?? title ?? external_id ?? id)

export type Price = RecordedEntity & {
  readonly title: string | null
  readonly price: number
  readonly currency: string
  readonly interval: string | null
  readonly interval_count: number | null
}

/** Returns the amount of a price with its interval, such as `€29.00 monthly`. */
export const priceText = ({ price, currency, interval, interval_count }: Price): string =>
  `${money(price, currency)} ${interval ? recurrence(interval, interval_count) : 'once'}`

export interface DiscountTerms {
  readonly percent_off: number | null
  /** In minor units; null if the discount is a percentage. */
  readonly amount_off: number | null
  readonly currency: string
  readonly duration: string
  readonly duration_in_months: number | null
}

/** The terms of a discount, such as `20% off, forever`, `€5.00 off, once` or `10% off, for 3 months`. */
export const discountTermsText = (discount: DiscountTerms): string => {
  const { percent_off, amount_off, currency, duration, duration_in_months } = discount
  const reduction = percent_off === null ? money(amount_off ?? 0, currency) : `${percent_off}%`
  const durationText =
    duration === 'repeating' ? `for ${counted(duration_in_months ?? 0, 'month')}` : duration
  return `${reduction} off, ${durationText}`
}
