import fc from 'fast-check'
import { parseDate } from '../../../shared/contract/dates.ts'
import { dateText } from '../../../tools/transfer/export/export-body.ts'
import { runs } from '../../support/runs.ts'

it('exports any date that a create accepts as text that means the same date', () => {
  const [min, first, last, max] = [
    '0000-01-01T00:00:00+23:59',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59-23:59',
  ].map((text) => parseDate(text)!) as [number, number, number, number]
  // In UTC, a date with an offset may be outside the years that have four digits.
  const bounds = [min, first - 1, first, last, last + 1, max]
  fc.assert(
    fc.property(fc.integer({ min, max }), (seconds) => expect(parseDate(dateText(seconds))).toBe(seconds)),
    { numRuns: runs(1_000, 100_000), examples: bounds.map((seconds) => [seconds]) },
  )
})
