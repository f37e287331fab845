import { create, list, retrieve } from '../contract/endpoint.ts'
import {
  clientId,
  count,
  currency,
  flag,
  interval,
  minorUnitsFromZero,
  nullable,
  priceType,
  reference,
  title,
} from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { object, type ValueOf, when } from '../contract/schema.ts'

/** §2 Price. */
export const price = resource({
  name: 'price',
  plural: 'prices',
  prefix: 'price',
  fields: {
    title: nullable(title),
    currency,
    price: minorUnitsFromZero,
    tiered: flag,
    type: priceType,
    interval: nullable(interval),
    interval_count: nullable(count),
  },
  kept: { product_id: reference },
})

const body = object(
  {
    id: clientId,
    product_id: reference,
    title: nullable(title),
    currency,
    price: minorUnitsFromZero,
    tiered: nullable(flag),
    type: priceType,
    interval: nullable(interval),
    interval_count: nullable(count),
  },
  ['id', 'product_id', 'currency', 'price', 'type'],
  // R7
  [
    when('type', ['recurring'], { required: { interval, interval_count: count } }),
    when('type', ['one_time'], { forbidden: ['interval', 'interval_count'] }),
  ],
)

/** §4 Prices. */
export const prices = {
  list: list(price),
  create: create(price, body),
  retrieve: retrieve(price),
}

/** The price that a request's body describes, of the product with the server's id `productId`. */
export const priceFrom = (request: ValueOf<typeof body>, productId: string): Content<typeof price> => ({
  fields: {
    title: request.title ?? null,
    currency: request.currency.toUpperCase(),
    price: request.price,
    tiered: request.tiered ?? false,
    type: request.type,
    interval: request.interval ?? null,
    interval_count: request.interval_count ?? null,
  },
  kept: { product_id: productId },
})
