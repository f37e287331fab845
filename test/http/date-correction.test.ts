import { dateCorrection } from '../../shared/http/validation/date-correction.ts'

// docs/errors.md has the usual wrong dates, which mistakes.test.ts sends.
it.each([
  ['2026-02-01T09:30Z[UTC]', '; write "2026-02-01T09:30Z"'],
  ['2026-02-01 09:30:00.25 +0100 CET', '; write "2026-02-01 09:30:00.25 +0100"'],
  ['2026-02-01 14:00:00 +0530 +0530', '; write "2026-02-01 14:00:00 +0530"'],
  ['Sun, 01 Feb 2026 09:30:00 GMT', '; write "2026-02-01T09:30:00Z"'],
  ['Sun, 01 Foo 2026 09:30:00 GMT', ''],
  ['2026/2/1 9:30', '; write "2026-02-01 09:30"'],
  ['2026-2-1', '; write "2026-02-01"'],
  ['20260201T093000Z', '; write "2026-02-01T09:30:00Z"'],
  ['20260201', '; write "2026-02-01"'],
  [' 2026-02-01', '; write "2026-02-01"'],
  ['01022026', ''],
  ['2026-02-01T09:30:00.12345678901234567890+01:00', '; write "2026-02-01T09:30:00.123456789+01:00"'],
  ['2026-02-30T09:30:00.12345678901234567890Z', '; there is no such day or time'],
  ['2026-02-30T09:30+0100', '; there is no such day or time'],
  ['02/01/2026', ''],
  ['Sun Feb 01 09:30:00 CET 2026', ''],
  ['2026-032', ''],
  [`2026-02-01T09:30${'.'.repeat(100)}`, ''],
])('the error for the date "%s" ends with "%s"', (text, expected) => {
  expect(dateCorrection(text)).toBe(expected)
})
