import fc from 'fast-check'
import { parseDate } from '../../shared/contract/dates.ts'
import { dateText } from '../../tools/transfer/export-body.ts'
import { runs } from '../support/runs.ts'

describe('a date', () => {
  const [first, last] = ['0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'].map(
    (text) => parseDate(text)!,
  )

  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [parseDate('0000-01-01')!, '0000-01-01T00:00:00Z'],
    [first!, '0000-01-01T00:00:00+23:59'],
    [last!, '9999-12-31T23:59:59-23:59'],
  ])('%i is %s', (seconds, text) => expect(dateText(seconds)).toBe(text))

  it('is exported as text that is read as the same date', () =>
    fc.assert(
      fc.property(fc.integer({ min: first!, max: last! }), (seconds) =>
        expect(parseDate(dateText(seconds))).toBe(seconds),
      ),
      { numRuns: runs(1_000, 100_000) },
    ))
})
