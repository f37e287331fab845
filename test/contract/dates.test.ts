import fc from 'fast-check'
import { parseDate } from '../../shared/contract/dates.ts'
import { nullForFillers, optional } from '../../shared/contract/field.ts'
import { metadata, timestamp } from '../../shared/contract/fields.ts'
import { dateCorrection } from '../../shared/http/validation/date-correction.ts'
import { range } from '../support/range.ts'
import { runs } from '../support/runs.ts'

const secondsOf = (iso: string) => Date.parse(iso) / 1000

it.each([
  ['RFC 3339 east of Greenwich', '2024-03-01T01:00:00+05:30', secondsOf('2024-02-29T19:30:00Z')],
  ['RFC 3339 west of Greenwich', '2024-02-29T20:00:00-08:00', secondsOf('2024-03-01T04:00:00Z')],
  ['an unknown local offset', '2024-02-29T20:00:00-00:00', secondsOf('2024-02-29T20:00:00Z')],
  ['a fraction, without the fraction', '2024-02-29T13:14:15.999Z', secondsOf('2024-02-29T13:14:15Z')],
  ['a fraction before 1970, rounded down', '1969-12-31T23:59:59.5Z', -1],
  ['a leap second in another time zone', '2016-12-31T15:59:60-08:00', secondsOf('2017-01-01T00:00:00Z')],
])('reads the date: %s', (_, text, expected) => {
  expect(parseDate(text)).toBe(expected)
})

// 2026-02-01T08:30:00Z, or a fraction of that second, as languages and databases print it.
it.each([
  ['Python: datetime.isoformat() without a zone', '2026-02-01T08:30:00'],
  ['Python: datetime.isoformat() with microseconds', '2026-02-01T08:30:00.123456'],
  ['Python: datetime.isoformat() in UTC; PHP: DATE_ATOM', '2026-02-01T08:30:00+00:00'],
  ['Python: str(datetime) with a zone', '2026-02-01 14:00:00+05:30'],
  ["Python: isoformat(timespec='minutes')", '2026-02-01T14:00+05:30'],
  ['Python: strftime with %z', '2026-02-01 14:00:00+0530'],
  ['PHP: DATE_ISO8601', '2026-02-01T08:30:00+0000'],
  ['PHP: DATE_RFC3339_EXTENDED', '2026-02-01T08:30:00.123+00:00'],
  ['Ruby: Time#to_s in UTC', '2026-02-01 08:30:00 UTC'],
  ['Ruby: Time#inspect, and Time#to_s without the fraction', '2026-02-01 09:30:00.5 +0100'],
  ['Ruby: DateTime#to_s', '2026-02-01T09:30:00+01:00'],
  ['PostgreSQL: timestamptz in UTC', '2026-02-01 08:30:00+00'],
  ['PostgreSQL: timestamptz', '2026-02-01 05:00:00-03:30'],
  ['PostgreSQL: timestamptz with a fraction', '2026-02-01 14:00:00.25+05:30'],
  ['PostgreSQL: timestamp; MySQL: DATETIME(6); Java: Timestamp.toString()', '2026-02-01 08:30:00.123456'],
  ['MySQL: DATETIME; Go: time.DateTime', '2026-02-01 08:30:00'],
  ['Go: Time.String() in UTC', '2026-02-01 08:30:00.123456789 +0000 UTC'],
  ['Go: MarshalJSON', '2026-02-01T08:30:00.123456789Z'],
  ['Java: LocalDateTime.toString()', '2026-02-01T08:30'],
  ['Java: OffsetDateTime.toString()', '2026-02-01T08:30Z'],
  ['Java: SimpleDateFormat with X', '2026-02-01T08:30:00+00'],
  ['.NET: the format "u"', '2026-02-01 08:30:00Z'],
  ['ISO 8601 with a comma', '2026-02-01T08:30:00,5 Z'],
])('reads the date of %s', (_, text) => {
  expect(parseDate(text)).toBe(secondsOf('2026-02-01T08:30:00Z'))
})

it.each([
  ['hour 24', '2024-01-01T24:00:00Z'],
  ['second 61', '2024-12-31T23:59:61Z'],
  ['a leap second in the middle of a day', '2024-01-01T12:00:60Z'],
  ['a leap second at a local midnight', '2024-01-01T23:59:60+01:00'],
  ['an offset of 60 minutes', '2024-01-01T00:00:00+00:60'],
  ['a fraction without digits', '2024-01-01T00:00:00.Z'],
  ['a fraction of a minute', '2024-01-01T00:00.5Z'],
  ['an hour without minutes', '2024-01-01T09'],
  ['a day with a zone', '2024-01-01Z'],
  ['two spaces', '2024-01-01  09:30'],
  ['an offset of one digit', '2024-01-01T00:00:00+1'],
  ['the name of a zone', '2024-01-01 00:00:00 CET'],
  ['an offset before the name of a zone, which may contradict it', '2024-01-01 00:00:00 +0100 UTC'],
  ['an offset of 24 hours', '2024-01-01T00:00:00+24:00'],
  ['a signed year', '+2024-01-01'],
  ['a leading space', ' 2024-01-01'],
  ['a trailing space', '2024-01-01 '],
  ['a trailing line break', '2024-01-01\n'],
  ['digits of another script', '２０２４-01-01'],
])('refuses as a date: %s', (_, text) => {
  expect(parseDate(text)).toBeUndefined()
})

it('reads every second in every notation as JavaScript’s Date does', () => {
  const instants = fc.integer({
    min: secondsOf('0000-01-01T00:00:00Z'),
    max: secondsOf('9999-12-31T23:59:59Z'),
  })
  fc.assert(
    fc.property(instants, (second) => {
      const iso = new Date(second * 1000).toISOString()
      expect(parseDate(iso)).toBe(second)
      expect(parseDate(iso.slice(0, '2026-02-01T08:30:00'.length).replace('T', ' '))).toBe(second)
      expect(parseDate(`${iso.slice(0, '2026-02-01T08:30:00'.length)} +0000 UTC`)).toBe(second)
      expect(parseDate(iso.slice(0, '2026-02-01T08:30'.length))).toBe(Math.floor(second / 60) * 60)
      expect(parseDate(iso.slice(0, '2026-02-01'.length))).toBe(Math.floor(second / 86_400) * 86_400)
    }),
    { numRuns: runs(500, 10_000) },
  )
})

it('refuses a day that the calendar does not have', () => {
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  for (const year of ['0000', '0099', '1900', '2000', '2023', '2024', '9999'])
    for (const month of range(15))
      for (const day of range(34)) {
        const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`
        const date = new Date(text)
        // Date reads February 30 as March 1.
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
        const expected = exists ? date.getTime() / 1000 : undefined
        expect({ text, second: parseDate(text) }).toEqual({ text, second: expected })
      }
})

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

const requiredMap = metadata(undefined)
const requiredDate = timestamp(undefined)
const fields = {
  map: requiredMap,
  optional_map: optional(requiredMap, {}),
  date: requiredDate,
  optional_date: optional(requiredDate),
}

it('takes an empty text or list as absent in optional fields only', () => {
  const body = { map: [], optional_map: [], date: '', optional_date: '' }
  expect(nullForFillers(fields, body)).toEqual({ map: [], optional_map: null, date: '', optional_date: null })
})
