import { MAX_BODY_BYTES } from '../../shared/http/body.ts'
import { validContent } from '../../shared/http/validate.ts'
import { lineItem } from '../support/requests/bodies.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'

/** A hostile body of this many bytes. */
type Body = (bytes: number) => string

/** Fills a text with comma-separated parts up to a size. */
const filled =
  (opening: string, part: (number: number) => string, closing: string): Body =>
  (bytes) => {
    const parts: string[] = []
    let left = bytes - opening.length - closing.length
    for (let next = part(0); next.length + 1 <= left; next = part(parts.length)) {
      parts.push(next)
      left -= next.length + 1
    }
    return `${opening}${parts.join()}${closing}`
  }

const nested =
  (opening: string, closing: string): Body =>
  (bytes) => {
    const levels = Math.floor((bytes - 20) / (opening.length + closing.length))
    return `{"metadata":${opening.repeat(levels)}1${closing.repeat(levels)}}`
  }

const inMetadata = (value: string): Body => filled('{"metadata":{"a":[', () => value, ']}}')
const inLines = (value: string): Body => filled('{"line_items":[', () => value, ']}')

const customers: Readonly<Record<string, Body>> = {
  numbers: inMetadata('1'),
  'long numbers': inMetadata('0.1234567890123456'),
  'integers in full': inMetadata(`${2n ** 70n}`),
  'fractions in full': inMetadata((2 ** -30).toFixed(30)),
  'inexact numbers': inMetadata('1e999'),
  texts: inMetadata('""'),
  objects: inMetadata('{"a":1}'),
  keys: filled('{', (number) => `"${number}":1`, '}'),
  'escaped keys': filled('{', (number) => `"\\u0041${number}":1`, '}'),
  'equal keys': filled('{"metadata":{', () => '"a":1', '}}'),
  'nested lists': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
}
const invoices: Readonly<Record<string, Body>> = {
  'unknown fields': filled('{', (number) => `"f${number}":1`, '}'),
  'whole lines': inLines(JSON.stringify(lineItem())),
  'wrong lines': inLines('{"amount":"x","z":1}'),
  'numbers for lines': inLines('1'),
}

/** Returns the processor time of validating a body, in microseconds. */
const timeOf = (endpointId: string, text: string): number => {
  const endpoint = endpointNamed(endpointId)
  const value: unknown = JSON.parse(text)
  const start = process.cpuUsage()
  try {
    validContent(endpoint, { text, value }, {})
  } catch {
    // Most of these bodies are refused.
  }
  const { user, system } = process.cpuUsage(start)
  return user + system
}

const ROUNDS = 15

/**
 * Returns how many times as long the larger of two bodies takes. Takes turns, so that a busy machine slows both, and compares
 * the shortest times, which contain the least of other work.
 */
const timesAsLong = (endpointId: string, small: string, large: string): number => {
  let shortestOfSmall = Number.POSITIVE_INFINITY
  let shortestOfLarge = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    shortestOfSmall = Math.min(shortestOfSmall, timeOf(endpointId, small))
    shortestOfLarge = Math.min(shortestOfLarge, timeOf(endpointId, large))
  }
  return shortestOfLarge / Math.max(shortestOfSmall, 1)
}

/** Four times the work takes four times as long, and a quadratic algorithm sixteen times. */
const MOST_TIMES_AS_LONG = 9

describe.each([
  ['customers.create', customers],
  ['invoices.create', invoices],
])('%s', (endpointId, bodies) => {
  it.each(Object.entries(bodies))(
    'takes no more time for each byte of a large body than of a body of a quarter of its size: %s',
    (_, body) => {
      const times = timesAsLong(endpointId, body(MAX_BODY_BYTES / 4), body(MAX_BODY_BYTES))
      expect(times).toBeLessThan(MOST_TIMES_AS_LONG)
    },
  )
})
