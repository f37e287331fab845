import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'
import { MAX_BODY_BYTES } from '../../shared/http/body.ts'
import { lineItem } from '../support/bodies.ts'

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

const session = new Session()
let validate: (endpointId: string, text: string) => unknown
beforeAll(async () => {
  // Optimised code does not count the calls of functions that have no branches.
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
  session.connect()
  await session.post('Profiler.enable')
  // V8 counts the blocks of code that it compiles from now on.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const { catalogue } = await import('../../shared/catalogue.ts')
  const { validContent } = await import('../../shared/http/validate.ts')
  validate = (endpointId, text) => {
    const endpoint = catalogue.find(({ id }) => id === endpointId)!
    return validContent(endpoint, { text, value: JSON.parse(text) }, {})
  }
})
afterAll(() => {
  session.disconnect()
  setFlagsFromString('--opt')
  setFlagsFromString('--maglev')
})

/** Validates a body. Returns how many blocks of JavaScript V8 executed meanwhile. */
const workOf = async (endpointId: string, text: string): Promise<number> => {
  await session.post('Profiler.takePreciseCoverage')
  try {
    validate(endpointId, text)
  } catch {
    // Most of these bodies are refused.
  }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const functions = result.flatMap((script) => script.functions)
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0)
}

const MAX_BLOCKS_PER_BYTE = 12

// Counts, unlike times, are the same on every machine.
describe.each([
  ['customers.create', customers],
  ['invoices.create', invoices],
])('%s', (endpoint, bodies) => {
  it.each(Object.entries(bodies))(
    'the work of validating a body is bounded and grows no faster than the body: %s',
    async (_, body) => {
      // The first validation compiles the validator.
      await workOf(endpoint, body(1_000))
      const quarter = await workOf(endpoint, body(MAX_BODY_BYTES / 4))
      const whole = await workOf(endpoint, body(MAX_BODY_BYTES))
      expect(quarter).toBeGreaterThan(0)
      expect(whole).toBeLessThan(4.2 * quarter)
      expect(whole).toBeLessThan(MAX_BLOCKS_PER_BYTE * MAX_BODY_BYTES)
    },
  )
})
