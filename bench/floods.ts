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

/** A kind of hostile body for an endpoint, of any size in bytes. */
export interface Flood {
  readonly endpoint: string
  readonly body: (bytes: number) => string
}

const customer = (body: Flood['body']): Flood => ({ endpoint: 'customers.create', body })
const invoice = (body: Flood['body']): Flood => ({ endpoint: 'invoices.create', body })
/** A list of equal values in the metadata of a customer. */
const values = (value: string): Flood => customer(filled('{"metadata":{"a":[', () => value, ']}}'))
const lines = (value: string): Flood => invoice(filled('{"line_items":[', () => value, ']}'))

/** The bodies that take longest to validate. Each repeats a single kind of token. */
export const floods: Readonly<Record<string, Flood>> = {
  numbers: values('1'),
  exponents: values('1e5'),
  'long numbers': values('0.1234567890123456'),
  'integers in full': values(`${2n ** 70n}`),
  'fractions in full': values((2 ** -30).toFixed(30)),
  'inexact numbers': values('1e999'),
  texts: values('""'),
  escapes: values('"\\\\"'),
  lists: values('[]'),
  objects: values('{"a":1}'),
  keys: customer(filled(`${metadata},`, (number) => `"${number}":1`, '}}')),
  'escaped keys': customer(filled(`${metadata},`, (number) => `"\\u0041${number}":1`, '}}')),
  'equal keys': customer(filled('{"metadata":{', () => '"a":1', '}}')),
  'nested lists': customer(nested('[', ']')),
  'nested objects': customer(nested('{"a":', '}')),
  'unknown fields': invoice(filled('{', (number) => `"f${number}":1`, '}')),
  'whole lines': lines(JSON.stringify(invoiceBody('invoice-1', 1).line_items[0])),
  'wrong lines': lines('{"amount":"x","z":1}'),
  'numbers for lines': lines('1'),
}

/** The maximum body size, and half of it. */
export const floodBytes = { whole: MAX_BODY_BYTES, half: MAX_BODY_BYTES / 2 }
