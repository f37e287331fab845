import { MAX_BODY_BYTES } from '../shared/http/body.ts'
import { customerBody, invoiceBody } from './bodies.ts'

/** Returns a function that fills a text with comma-separated parts up to a size in bytes. */
const filled = (opening: string, part: (number: number) => string, closing: string) => (bytes: number) => {
  const parts: string[] = []
  let left = bytes - opening.length - closing.length
  for (let next = part(0); next.length + 1 <= left; next = part(parts.length)) {
    parts.push(next)
    left -= next.length + 1
  }
  return `${opening}${parts.join()}${closing}`
}

const nested = (opening: string, closing: string) => (bytes: number) => {
  const levels = Math.floor((bytes - 20) / (opening.length + closing.length))
  return `{"metadata":${opening.repeat(levels)}1${closing.repeat(levels)}}`
}

const metadata = JSON.stringify(customerBody('customer-1')).slice(0, -2)
const line = JSON.stringify(invoiceBody('invoice-1', 1).line_items[0])

/** A kind of hostile body for an endpoint, of any size in bytes. */
export interface Flood {
  readonly endpoint: string
  readonly body: (bytes: number) => string
}

/** The bodies that take longest to validate. Each repeats a single kind of token. */
export const floods: Readonly<Record<string, Flood>> = Object.fromEntries(
  Object.entries({
    numbers: ['customers.create', filled('{"metadata":{"a":[', () => '1', ']}}')],
    exponents: ['customers.create', filled('{"metadata":{"a":[', () => '1e5', ']}}')],
    'long numbers': ['customers.create', filled('{"metadata":{"a":[', () => '0.1234567890123456', ']}}')],
    'integers in full': ['customers.create', filled('{"metadata":{"a":[', () => `${2n ** 70n}`, ']}}')],
    'fractions in full': [
      'customers.create',
      filled('{"metadata":{"a":[', () => (2 ** -30).toFixed(30), ']}}'),
    ],
    'inexact numbers': ['customers.create', filled('{"metadata":{"a":[', () => '1e999', ']}}')],
    texts: ['customers.create', filled('{"metadata":{"a":[', () => '""', ']}}')],
    escapes: ['customers.create', filled('{"metadata":{"a":[', () => '"\\\\"', ']}}')],
    lists: ['customers.create', filled('{"metadata":{"a":[', () => '[]', ']}}')],
    objects: ['customers.create', filled('{"metadata":{"a":[', () => '{"a":1}', ']}}')],
    keys: ['customers.create', filled(`${metadata},`, (number) => `"${number}":1`, '}}')],
    'escaped keys': ['customers.create', filled(`${metadata},`, (number) => `"\\u0041${number}":1`, '}}')],
    'equal keys': ['customers.create', filled('{"metadata":{', () => '"a":1', '}}')],
    'nested lists': ['customers.create', nested('[', ']')],
    'nested objects': ['customers.create', nested('{"a":', '}')],
    'unknown fields': ['invoices.create', filled('{', (number) => `"f${number}":1`, '}')],
    'whole lines': ['invoices.create', filled('{"line_items":[', () => line, ']}')],
    'wrong lines': ['invoices.create', filled('{"line_items":[', () => '{"amount":"x","z":1}', ']}')],
    'numbers for lines': ['invoices.create', filled('{"line_items":[', () => '1', ']}')],
  } satisfies Record<string, [string, Flood['body']]>).map(([kind, [endpoint, body]]) => [
    kind,
    { endpoint, body } as Flood,
  ]),
)

/** The maximum body size, and half of it. */
export const floodBytes = { whole: MAX_BODY_BYTES, half: MAX_BODY_BYTES / 2 }
