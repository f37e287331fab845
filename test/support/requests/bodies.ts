import { range } from '../range.ts'

/** Request bodies with defaults. A test states only the fields that matter to it. */

let number = 0
const nextId = (kind: string): string => {
  number += 1
  return `${kind}-${number}`
}

type Fields = Record<string, unknown>

export const objectWithKeys = (count: number): Fields =>
  Object.fromEntries(range(count).map((number) => [`k${number}`, number]))

export const productBody = (fields: Fields = {}) => ({ id: nextId('product'), name: 'Basic', ...fields })

export const priceBody = (fields: Fields = {}) => ({
  id: nextId('price'),
  currency: 'EUR',
  price: 999,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
  ...fields,
})

export const customerBody = (fields: Fields = {}) => ({
  id: nextId('customer'),
  name: 'Ann Example',
  email: 'ann@example.org',
  ...fields,
})

/** The placeholders in place of the personal data of an anonymised customer. */
export const anonymisedValues = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' }

export const discountBody = (fields: Fields = {}) => ({
  id: nextId('discount'),
  name: 'Spring',
  duration: 'once',
  percent_off: 10,
  currency: 'EUR',
  ...fields,
})

export const invoiceBody = (fields: Fields = {}) => ({
  id: nextId('invoice'),
  total: 999,
  created: '2024-01-01',
  period_start: '2024-01-01',
  period_end: '2024-02-01',
  currency: 'EUR',
  subscription_id: nextId('subscription'),
  ...fields,
})

export const lineItem = (fields: Fields = {}) => ({
  amount: 999,
  currency: 'EUR',
  quantity: 1,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
  ...fields,
})
