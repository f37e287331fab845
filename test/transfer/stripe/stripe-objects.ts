import type { MappingContext } from '../../../tools/transfer/formats/stripe/mapping-context.ts'
import { recurrencesIn } from '../../../tools/transfer/formats/stripe/stripe-rows.ts'

/** Objects of an invented Stripe account, as two versions of Stripe's API return them. */

type Fields = Record<string, unknown>

const MARCH = 1_709_251_200
const APRIL = 1_711_929_600

/** A version in which lines have a price and invoices a subscription, and a version in which both are nested elsewhere. */
export const [olderVersion, newerVersion] = ['2024-06-20', '2025-09-30.clover'] as const
export const versions = [olderVersion, newerVersion] as const
export type Version = (typeof versions)[number]

export const product = (fields: Fields = {}) => ({
  id: 'prod_pro',
  object: 'product',
  name: 'Pro',
  ...fields,
})

export const price = (fields: Fields = {}) => ({
  id: 'price_pro',
  object: 'price',
  product: 'prod_pro',
  nickname: 'Pro, monthly',
  currency: 'eur',
  billing_scheme: 'per_unit',
  unit_amount: 1900,
  type: 'recurring',
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
  ...fields,
})

export const customer = (fields: Fields = {}) => ({
  id: 'cus_ann',
  object: 'customer',
  name: 'Ann Example',
  email: 'ann@example.org',
  phone: null,
  created: MARCH,
  metadata: { plan: 'pro' },
  ...fields,
})

export const coupon = (fields: Fields = {}) => ({
  id: 'SPRING',
  object: 'coupon',
  name: null,
  duration: 'once',
  amount_off: null,
  percent_off: 10,
  currency: null,
  ...fields,
})

const discounts: Readonly<Record<Version, object>> = {
  '2024-06-20': { id: 'di_1', object: 'discount', coupon: coupon() },
  '2025-09-30.clover': { id: 'di_1', object: 'discount', source: { type: 'coupon', coupon: 'SPRING' } },
}

const versionedLineFields: Readonly<Record<Version, (proration: unknown) => object>> = {
  '2024-06-20': (proration) => ({
    proration,
    type: proration ? 'invoiceitem' : 'subscription',
    price: price(),
    tax_amounts: [{ amount: 325, inclusive: false }],
  }),
  '2025-09-30.clover': (proration) => {
    const type = proration ? 'invoice_item_details' : 'subscription_item_details'
    return {
      parent: { type, [type]: { proration, subscription: 'sub_ann' } },
      pricing: { type: 'price_details', price_details: { price: 'price_pro', product: 'prod_pro' } },
      taxes: [{ amount: 325, tax_behavior: 'exclusive' }],
    }
  },
}

/** Returns a line that bills April or, with `proration`, settles a change in March. */
export const line = (version: Version, { proration = false, ...fields }: Fields = {}) => ({
  id: 'il_1',
  object: 'line_item',
  amount: 1900,
  currency: 'eur',
  quantity: 1,
  discount_amounts: [{ amount: 190, discount: 'di_1' }],
  period: proration ? { start: MARCH + 86_400, end: APRIL } : { start: APRIL, end: APRIL + 30 * 86_400 },
  ...versionedLineFields[version](proration),
  ...fields,
})

const subscriptionFields: Readonly<Record<Version, object>> = {
  '2024-06-20': { subscription: 'sub_ann' },
  '2025-09-30.clover': {
    parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_ann' } },
  },
}

/** Returns an invoice of the start of April, whose own period is March. */
export const invoice = (version: Version, { lines = [line(version)], ...fields }: Fields = {}) => ({
  id: 'in_1',
  object: 'invoice',
  status: 'paid',
  total: 2035,
  currency: 'eur',
  customer: 'cus_ann',
  created: APRIL,
  period_start: MARCH,
  period_end: APRIL,
  lines: { object: 'list', data: lines, has_more: false },
  discounts: [discounts[version]],
  ...subscriptionFields[version],
  ...fields,
})

export const page = (data: readonly unknown[]) =>
  JSON.stringify({ object: 'list', url: '/v1/things', has_more: false, data }, null, 2)

const recurrences = new Map(recurrencesIn(price()))

/** What the mapping knows in an import of the price and the product above. */
export const mappingContext: MappingContext = {
  recurrence: (id) => recurrences.get(id),
  isFractional: () => false,
  isListed: (type) => type === 'plan',
  invoice: () => undefined,
  cutsMetadata: false,
  recordsOneOffs: false,
}
