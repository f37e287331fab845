import fc from 'fast-check'
import { parseDate } from '../../../shared/contract/dates.ts'
import { dateText } from '../../../tools/transfer/export/export-resource.ts'
import { runs } from '../../support/runs.ts'

it('writes any date that a create accepts as text that means the same date', () => {
  const earliest = parseDate('0000-01-01T00:00:00+23:59')!
  const firstInUtc = parseDate('0000-01-01T00:00:00Z')!
  const lastInUtc = parseDate('9999-12-31T23:59:59Z')!
  const latest = parseDate('9999-12-31T23:59:59-23:59')!
  // A date with an offset may be outside the years that have four digits in UTC.
  const bounds = [earliest, firstInUtc - 1, firstInUtc, lastInUtc, lastInUtc + 1, latest]
  fc.assert(
    fc.property(fc.integer({ min: earliest, max: latest }), (seconds) =>
      expect(parseDate(dateText(seconds))).toBe(seconds),
    ),
    { numRuns: runs(1_000, 100_000), examples: bounds.map((seconds) => [seconds]) },
  )
})
