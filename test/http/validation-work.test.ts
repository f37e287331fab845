import { MAX_BODY_BYTES } from '../../shared/http/body.ts'
import { validContent } from '../../shared/http/validate.ts'
import { lineItem } from '../support/requests/bodies.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'

/** Returns a hostile body of about this many bytes. */
type HostileBody = (bytes: number) => string

const filledWith =
  (opening: string, part: (number: number) => string, closing: string): HostileBody =>
  (bytes) => {
    const parts: string[] = []
    let bytesLeft = bytes - opening.length - closing.length
    while (bytesLeft > 0) {
      const next = part(parts.length)
      parts.push(next)
      bytesLeft -= next.length + ','.length
    }
    return `${opening}${parts.join()}${closing}`
  }

const nested =
  (opening: string, closing: string): HostileBody =>
  (bytes) => {
    const levels = Math.floor((bytes - 20) / (opening.length + closing.length))
    return `{"metadata":${opening.repeat(levels)}1${closing.repeat(levels)}}`
  }

const inMetadata = (value: string): HostileBody => filledWith('{"metadata":{"a":[', () => value, ']}}')
const inLines = (value: string): HostileBody => filledWith('{"line_items":[', () => value, ']}')

const customerBodies: Readonly<Record<string, HostileBody>> = {
  numbers: inMetadata('1'),
  'long numbers': inMetadata('0.1234567890123456'),
  'integers in full': inMetadata(`${2n ** 70n}`),
  'fractions in full': inMetadata((2 ** -30).toFixed(30)),
  'inexact numbers': inMetadata('1e999'),
  texts: inMetadata('""'),
  objects: inMetadata('{"a":1}'),
  keys: filledWith('{', (number) => `"${number}":1`, '}'),
  'escaped keys': filledWith('{', (number) => `"\\u0041${number}":1`, '}'),
  'equal keys': filledWith('{"metadata":{', () => '"a":1', '}}'),
  'nested lists': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
}
const invoiceBodies: Readonly<Record<string, HostileBody>> = {
  'unknown fields': filledWith('{', (number) => `"f${number}":1`, '}'),
  'complete lines': inLines(JSON.stringify(lineItem())),
  'invalid lines': inLines('{"amount":"x","z":1}'),
  'numbers in place of lines': inLines('1'),
}

/** In microseconds. */
const processorTime = (endpointId: string, text: string): number => {
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

/**
 * The limit of the ratio for a body of four times the size. A linear algorithm takes 4 times as long, a
 * quadratic one 16 times.
 */
const MAX_RATIO = 9

const MIN_ROUNDS = 3
const MAX_ROUNDS = 7

/**
 * The bodies take turns, so that a busy machine slows both. The shortest times are compared, because they
 * contain the least time of other work; there are more rounds if the first ones had too much of it.
 */
const timeRatio = (endpointId: string, small: string, large: string): number => {
  let shortestSmall = Number.POSITIVE_INFINITY
  let shortestLarge = Number.POSITIVE_INFINITY
  let ratio = Number.POSITIVE_INFINITY
  for (let round = 1; round <= MIN_ROUNDS || (round <= MAX_ROUNDS && ratio >= MAX_RATIO); round += 1) {
    shortestSmall = Math.min(shortestSmall, processorTime(endpointId, small))
    shortestLarge = Math.min(shortestLarge, processorTime(endpointId, large))
    ratio = shortestLarge / Math.max(shortestSmall, 1)
  }
  return ratio
}

describe.each([
  ['customers.create', customerBodies],
  ['invoices.create', invoiceBodies],
])('%s', (endpointId, bodies) => {
  it.each(Object.entries(bodies))(
    'validates a body of %s in a time that is proportional to its size',
    (_, body) => {
      const ratio = timeRatio(endpointId, body(MAX_BODY_BYTES / 4), body(MAX_BODY_BYTES))
      expect(ratio).toBeLessThan(MAX_RATIO)
    },
  )
})
