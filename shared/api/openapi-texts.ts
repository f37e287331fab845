import type { Operation } from '../contract/endpoint.ts'

/** What the document says in words. Keys are checked against the contract by a test, in both directions. */

/** The document's introduction. */
export const introduction = `Record what your application bills, and read it back.

## Authentication
Every operation wants two headers: \`Authorization: Bearer <API key>\` and \`x-app-id: <application id>\`. Any fault in them is
the same \`401\`. An application sees only what it has recorded itself.

## Ids and safe retries
You create everything under an id of your own: a string, or an integer, which is the same id as its digits. We assign a second
one, such as \`prod_…\`, and return that. Either works wherever an id is taken.

Creating again with the same id and the same content answers \`200\` with what is there already, at any later time, so a
create whose answer was lost can simply be sent again. Different content is \`409\`, and nothing changes.

## Lists
Newest first, by when we recorded it. Pass \`next_cursor\` as \`cursor\` for the next page and \`previous_cursor\` for the one before.
A cursor does not expire, belongs to its list and its application, and has no meaning to be read out of it.

## Money and time
Amounts are integers in the currency's minor unit: 1999 is 19.99 EUR. Dates are sent as text and returned as seconds since the
epoch, UTC.

## Errors
Every error is \`{ "errors": [ … ] }\` with one entry per fault, so one answer names everything to be mended. Each \`detail\` begins
with the field at fault. Unknown fields and query parameters are refused, not ignored. \`429\` and \`503\` say in \`Retry-After\` when to
try again; all requests are safe to repeat. Quote \`x-request-id\` when you ask about a request.`

/** What each kind of entity is, by its plural. */
export const tagTexts: Readonly<Record<string, string>> = {
  products: 'What you sell.',
  prices: 'What a product costs: once, or again after each interval.',
  customers: 'Who you bill. A customer can be anonymised, which erases the person and keeps the records.',
  discounts: 'What is taken off an invoice: an amount or a percentage.',
  invoices:
    'What you billed, with its lines. An invoice is kept as you send it; its total is never recomputed.',
  subscriptions:
    'What recurs. A subscription is derived from the invoices that name it and follows the one whose period ends last, in whatever order they arrive.',
}

/** What holds for an operation of every kind. */
export const operationTexts: Readonly<Record<Operation, string>> = {
  list: 'A page of at most `limit` entries, newest first.',
  create: 'Safe to repeat: the same id with the same content answers with what was recorded the first time.',
  retrieve: 'By our id or by your own.',
  update: '',
}

/** What holds for one operation only. */
export const endpointTexts: Readonly<Record<string, string>> = {
  'prices.create':
    'A `recurring` price needs `interval` and `interval_count`; a `one_time` price has neither. `product_id` must be a product that is recorded.',
  'customers.update': `**With a body** the customer is updated. A field that is absent stays as it is, \`null\` clears it, and \`metadata\` is
replaced whole. \`id\` must be the customer's own, yours or ours, and never changes.

**Without any body** the customer is anonymised: \`name\` and \`email\` become placeholders that are the same for everyone,
\`description\` and \`phone\` are erased, and \`metadata\`, ids and invoices stay. \`{}\` and \`null\` are bodies; they are refused and erase nothing.`,
  'discounts.create':
    'Exactly one of `amount_off` and `percent_off` is given. A `repeating` discount needs `duration_in_months`; the others have none.',
  'invoices.create':
    'The customer and the discounts must be recorded already. A subscription begins with the first invoice that names it, and belongs to that customer. A period must not end before it starts.',
}

/** What a field means, by its name, or by `Component.field` where that differs. */
export const fieldTexts: Readonly<Record<string, string>> = {
  id: 'The id that we assigned.',
  'CreateProductRequest.id': 'Your own id of the product.',
  'CreatePriceRequest.id': 'Your own id of the price.',
  'CreateCustomerRequest.id': 'Your own id of the customer.',
  'CreateDiscountRequest.id': 'Your own id of the discount.',
  'CreateInvoiceRequest.id': 'Your own id of the invoice.',
  'UpdateCustomerRequest.id': 'The id of this very customer, your own or ours.',
  'LineItem.id': 'The id that you gave the line, or one that we made.',
  'LineItemRequest.id': 'Your own id of the line; one is made if there is none.',
  name: 'What it is called.',
  'Customer.name': 'The full name.',
  'CreateCustomerRequest.name': 'The full name.',
  'UpdateCustomerRequest.name': 'The full name.',
  title: 'What the price is called.',
  email: 'The e-mail address, kept as it is sent.',
  description: 'A note of your own. It is kept, but not returned.',
  phone: 'A phone number. It is kept, but not returned.',
  metadata:
    'Your own keys and values, of any JSON type, returned exactly as sent. At most 16 KiB and 8 levels deep.',
  currency: 'The currency of the amounts.',
  price: 'The amount, in minor units (cents).',
  tiered: 'Whether the price has tiers.',
  type: 'Whether it recurs.',
  interval: 'The unit of time after which it recurs.',
  interval_count: 'How many intervals pass each time.',
  'Subscription.interval':
    'The unit of time of the latest invoice that has a recurring line; null while none has.',
  'Subscription.interval_count': 'How many intervals pass each time, of the same line.',
  product_id: 'The product that the price belongs to.',
  duration: 'How often the discount applies: to one invoice, for some months, or always.',
  duration_in_months: 'For how many months a `repeating` discount applies.',
  amount_off: 'The amount that is taken off, in minor units (cents).',
  percent_off: 'The percentage that is taken off.',
  total: 'What the invoice comes to, in minor units (cents); negative for a credit.',
  created: 'When it was created.',
  'Subscription.created': 'When the earliest of its invoices was created.',
  'CreateCustomerRequest.created': 'When the customer was created. It is kept, but not returned.',
  'UpdateCustomerRequest.created': 'When the customer was created. It is kept, but not returned.',
  period_start: 'When the billed period starts.',
  period_end: 'When the billed period ends; not before it starts.',
  customer_id: 'The customer who is billed.',
  subscription_id: 'The subscription that is billed.',
  discounts: 'The discounts that were used.',
  line_items: 'What was billed, line by line, in your order.',
  amount: 'What the line comes to, in minor units (cents); negative for a credit.',
  quantity: 'How many.',
  discount_amount: 'The discount within the line, in minor units (cents).',
  tax_amount: 'The tax within the line, in minor units (cents).',
  current_period_start: 'When the latest billed period starts.',
  current_period_end: 'When the latest billed period ends.',
  latest_invoice_id: 'The invoice with the latest period.',
  prices: 'The prices of the product, newest first, up to 100.',
  subscription: 'The subscription that is billed.',
  customer: 'The customer who is billed.',
  has_more: 'Whether there is a next page.',
  next_cursor: 'The cursor of the next page; null on the last.',
  previous_cursor: 'The cursor of the page before; null on the first.',
  'ErrorResponse.errors': 'One entry for each fault.',
  'ErrorResponse.errors[].code': 'The HTTP status.',
  'ErrorResponse.errors[].title': 'The kind of error, in fixed words.',
  'ErrorResponse.errors[].detail': 'What is wrong, beginning with the field at fault where there is one.',
}

/** What each query parameter, and the header of every request, does. */
export const parameterTexts = {
  id: 'Our id or your own, percent-encoded.',
  limit: 'How many entries a page has at most.',
  cursor:
    '`next_cursor` or `previous_cursor` of a page of this list. Absent, empty or `null` for the first page.',
  include: 'What to embed: names, separated by commas, each of which adds a key to the entries.',
  requestId:
    'An id of your own for this request, of up to 128 letters, digits, `_`, `.`, `:` and `-`. It comes back, and is in our logs.',
} as const

/** What each kind of error means. */
export const errorTexts = {
  unreadable_body: 'The body is not JSON in UTF-8.',
  unauthorized: 'The credentials are missing, wrong or revoked; which of these is not said.',
  forbidden: 'The firewall in front of the service refused the request.',
  entity_not_found: 'There is nothing with this id.',
  conflict: 'The id is taken by something with other content, or is not that of the entity in the path.',
  body_too_large: 'The body is larger than 256 KiB.',
  unsupported_media_type: 'The content type is not JSON.',
  invalid: 'A value in the body, the query or the path breaks a rule. Every fault is listed, up to 50.',
  too_many_requests: 'More requests than the service allows in a time. Nothing was recorded.',
  internal: 'A fault of ours. The request may be repeated.',
  unavailable: 'The service is busy. The request may be repeated.',
} as const
