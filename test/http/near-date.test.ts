import { nearDate } from '../../shared/http/near-date.ts'

// docs/errors.md has the usual wrong dates, which mistakes.test.ts sends.
it.each([
  ['2026-02-01 09:30', '; it needs seconds, write "2026-02-01 09:30:00"'],
  ['2026-02-01T09:30', '; it needs seconds, write "2026-02-01T09:30:00Z" if it is UTC'],
  ['2026-02-01T09:30+01', '; it needs seconds and minutes in its offset, write "2026-02-01T09:30:00+01:00"'],
  ['2026-02-01 09:30:00.25+00', '; it needs minutes in its offset, write "2026-02-01T09:30:00.25+00:00"'],
  ['2026-02-01 09:30:00.5', '; write "2026-02-01T09:30:00.5Z" if it is UTC'],
  ['2026-02-30T09:30+0100', '; there is no such day or time'],
  ['2026-02-01T9:30:00Z', ''],
  ['20240131', ''],
])('the end of the error for "%s" is "%s"', (text, expected) => {
  expect(nearDate(text)).toBe(expected)
})
