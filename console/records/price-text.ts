import { money, recurrence } from '../text/format.ts'
import type { Entity } from './entities.ts'

export type Price = Entity & {
  readonly title: string | null
  readonly price: number
  readonly currency: string
  readonly interval: string | null
  readonly interval_count: number | null
}

/** Returns the amount of a price with its interval, such as `€29.00 monthly`. */
export const priceText = ({ price, currency, interval, interval_count }: Price): string =>
  `${money(price, currency)} ${interval ? recurrence(interval, interval_count) : 'once'}`
