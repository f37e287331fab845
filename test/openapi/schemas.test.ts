import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Schema } from '../../shared/contract/schema.ts'
import { schemaErrors } from '../../shared/http/compile.ts'
import { documented, validatorOfMedia } from '../support/document.ts'
import { runs } from '../support/runs.ts'
import { exampleBody } from './provocations.ts'

const numbers = [0, 1, -1, 1.5, 100, 101, 1e300, 2 ** 53 - 1, 2 ** 53, -(2 ** 53)]
const texts = [
  '',
  'x',
  '0',
  '12',
  '007',
  '1e3',
  'a\nb',
  'a\u0085b',
  'ä😀',
  'EUR',
  'eur',
  'eUr',
  'EURO',
  'XXY',
]
const words = ['ABC', ' EUR', 'once', 'repeating', 'forever', 'recurring', 'one_time', 'month', 'Month']
const lengths = [
  ['x', 255],
  ['x', 256],
  ['😀', 255],
  ['x', 320],
  ['x', 321],
  ['x', 2001],
] as const
const days = [
  ...['2026-01-31', '2026-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '2026-04-31', '2026-13-01'],
  ...['2026-00-10', '0000-01-01', '20260131', 'tomorrow'],
]
/** Times of 2026-01-31. */
const times = [
  ...[
    ' 09:30:00',
    'T09:30:00Z',
    't09:30:00z',
    'T09:30:00+02:00',
    'T09:30:00.123456789Z',
    'T09:30:00.1234567890Z',
  ],
  ...['T09:30:00', ' 09:30:00Z', 'T24:00:00Z', 'T09:60:00Z', 'T09:30:00+24:00', ' 9:30:00'],
]
const properties = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 1]))

/** Values at and around the edges of what our fields take. */
const edges: unknown[] = [
  ...[null, true, ...numbers, ...texts, ...words, ...lengths.map(([text, times]) => text.repeat(times))],
  ...[...days, ...times.map((time) => `2026-01-31${time}`)],
  ...[[], {}, properties(51), { ['k'.repeat(101)]: 1 }, { constructor: 1 }],
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
  const changed = fc.oneof(value, fc.array(line, { maxLength: 2 }))
  const changes = fc.dictionary(fc.constantFrom(...fields, 'other'), changed, { maxKeys: 3 })
  return fc.tuple(changes, fc.subarray(fields, { maxLength: 2 })).map(([change, removed]) => {
    const body = Object.entries({ ...exampleBody(endpoint), ...change })
    return Object.fromEntries(body.filter(([field]) => !removed.includes(field)))
  })
}

describe.each(catalogue.filter(({ body }) => body))(
  'the document allows exactly the bodies of $id that the service’s own schema allows',
  (endpoint) => {
    /** Whether document and service allow a body. */
    const verdictsOn = (body: object): readonly [document: boolean, service: boolean] => {
      const { requestBody } = documented(endpoint.method, endpoint.path)
      const validate = validatorOfMedia(requestBody!.content['application/json'])
      return [validate(body), schemaErrors(endpoint, body).length === 0]
    }

    it('with any changes', () => {
      const property = fc.property(mutated(endpoint), (body) => {
        const [document, service] = verdictsOn(body)
        expect(document).toBe(service)
      })
      fc.assert(property, { numRuns: runs(400, 100_000) })
    })

    it('with any one field at an edge', () => {
      const verdicts = Object.keys(endpoint.body!.properties).flatMap((field) =>
        edges.map((edge) => ({ field, edge, says: verdictsOn({ ...exampleBody(endpoint), [field]: edge }) })),
      )
      expect(verdicts.filter(({ says: [document, service] }) => document !== service)).toEqual([])
      expect(new Set(verdicts.map(({ says: [document] }) => document)).size).toBe(2)
    })
  },
)
