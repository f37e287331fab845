import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Schema } from '../../shared/contract/schema.ts'
import { schemaErrors } from '../../shared/http/compile.ts'
import { documented, validatorOfMedia } from '../support/document.ts'
import { runs } from '../support/runs.ts'
import { exampleBody } from './provocations.ts'

/** Values at and around the edges of what our fields take. */
const edges: unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  100,
  101,
  1e300,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  '',
  'x',
  '0',
  '12',
  '007',
  '1e3',
  'a\nb',
  'a\u0085b',
  'ä😀',
  'x'.repeat(255),
  'x'.repeat(256),
  '😀'.repeat(255),
  'x'.repeat(320),
  'x'.repeat(321),
  'x'.repeat(2001),
  [],
  {},
  'EUR',
  'eur',
  'eUr',
  'EURO',
  'XXY',
  'ABC',
  ' EUR',
  'once',
  'repeating',
  'forever',
  'recurring',
  'one_time',
  'month',
  'Month',
  '2026-01-31',
  '2026-02-29',
  '2024-02-29',
  '1900-02-29',
  '2000-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '0000-01-01',
  '2026-01-31 09:30:00',
  '2026-01-31T09:30:00Z',
  '2026-01-31t09:30:00z',
  '2026-01-31T09:30:00+02:00',
  '2026-01-31T09:30:00.123456789Z',
  '2026-01-31T09:30:00.1234567890Z',
  '2026-01-31T09:30:00',
  '2026-01-31 09:30:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T09:60:00Z',
  '2026-01-31T09:30:00+24:00',
  '2026-01-31 9:30:00',
  '20260131',
  'tomorrow',
  Object.fromEntries(Array.from({ length: 51 }, (_, index) => [index, 1])),
  { ['k'.repeat(101)]: 1 },
  { constructor: 1 },
]

const value = fc.oneof(
  fc.constantFrom(...edges),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.stringMatching(/^[A-Za-z]{3}$/),
  fc.jsonValue({ maxDepth: 2 }),
)

/** A valid body with some fields replaced, removed or added. */
const mutated = (endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.keys(endpoint.body?.properties ?? {})
  const lines = (endpoint.body?.properties.line_items?.items as Schema | undefined)?.properties ?? {}
  const line = fc.dictionary(fc.constantFrom(...Object.keys(lines), 'other'), value, { maxKeys: 3 })
  const change = fc.dictionary(
    fc.constantFrom(...fields, 'other'),
    fc.oneof(value, fc.array(line, { maxLength: 2 })),
    {
      maxKeys: 3,
    },
  )
  return fc
    .tuple(change, fc.subarray(fields, { maxLength: 2 }))
    .map(([changes, removed]) =>
      Object.fromEntries(
        Object.entries({ ...exampleBody(endpoint), ...changes }).filter(
          ([field]) => !removed.includes(field),
        ),
      ),
    )
}

describe('the document allows exactly the bodies that the service’s own schema allows', () => {
  const endpoints = catalogue.filter(({ body }) => body)
  it.each(endpoints)('for $id', (endpoint) => {
    const validate = validatorOfMedia(
      documented(endpoint.method, endpoint.path).requestBody!.content['application/json'],
    )
    fc.assert(
      fc.property(mutated(endpoint), (body) => {
        expect(validate(body)).toBe(schemaErrors(endpoint, body).length === 0)
      }),
      { numRuns: runs(400, 100_000) },
    )
  })

  it.each(endpoints)('for $id with any one field at an edge', (endpoint) => {
    const validate = validatorOfMedia(
      documented(endpoint.method, endpoint.path).requestBody!.content['application/json'],
    )
    const verdicts = Object.keys(endpoint.body!.properties).flatMap((field) =>
      edges.map((edge) => {
        const body = { ...exampleBody(endpoint), [field]: edge }
        return [field, edge, validate(body), schemaErrors(endpoint, body).length === 0]
      }),
    )
    expect(verdicts.filter(([, , documentSays, serviceSays]) => documentSays !== serviceSays)).toEqual([])
    expect(new Set(verdicts.map(([, , says]) => says)).size).toBe(2)
  })
})
