import { exclusiveEnd } from '../../../tools/transfer/formats/csv/dates.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { type Contents, expectStop, importContents, recordedEntity } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

type Period = readonly [start: string, end: string, subscription?: string]

/** The periods of invoices of one subscription, or of several. */
const invoices = (...periods: readonly Period[]): Contents => ({
  'customers.csv': 'id\n1\n',
  'invoices.csv': [
    'id,customer_id,subscription_id,total,currency,created,period_start,period_end',
    ...periods.map(
      ([start, end, subscription = 's'], index) =>
        `${index},1,${subscription},100,EUR,${start},${start},${end}`,
    ),
    '',
  ].join('\n'),
})

it.each([
  ['2025-10-31', '2025-11-01'],
  ['2024-02-29', '2024-03-01'],
  ['2025-10-31T00:00', '2025-11-01T00:00:00'],
  ['2025-10-31T23:59:59', '2025-11-01T00:00:00'],
  ['2025-10-31T23:59:59.999', '2025-11-01T00:00:00'],
  ['2025-10-31 23:59:00', '2025-11-01T00:00:00'],
  ['2025-10-31T23:59:59Z', '2025-11-01T00:00:00Z'],
  ['2025-10-31T23:59+05:30', '2025-10-31T18:30:00Z'],
  ['2025-10-31T12:30', undefined],
])('reads the inclusive end %s as %s', (date, end) => {
  expect(exclusiveEnd(date)).toBe(end)
})

const month = { reason: 'the period would then be a month from 2025-10-01', next: '2025-11-01' }
const nextWeek = {
  reason: 'the next period of the subscription "s" begins on 2025-10-13',
  next: '2025-10-13',
}

interface AmbiguousEnd {
  readonly of: string
  readonly periods: readonly Period[]
  readonly options?: readonly string[]
  readonly end: string
  readonly reason: string
  readonly next: string
}

it.each<AmbiguousEnd>([
  {
    of: 'the last day of a month',
    periods: [['2025-10-01', '2025-10-31']],
    end: '2025-10-31',
    ...month,
  },
  {
    of: 'the last second of a month',
    periods: [['2025-10-01', '2025-10-31T23:59:59']],
    end: '2025-10-31T23:59:59',
    ...month,
  },
  {
    of: 'the last minute of a month',
    periods: [['2025-10-01', '2025-10-31 23:59']],
    end: '2025-10-31 23:59',
    ...month,
  },
  {
    of: 'the last day of a month in a time zone whose clocks change in it',
    periods: [['01.10.2025', '31.10.2025']],
    options: ['--dates', 'DD.MM.YYYY', '--zone', 'Europe/Berlin'],
    end: '31.10.2025',
    ...month,
  },
  {
    of: 'the day before the next week',
    periods: [
      ['2025-10-06', '2025-10-12'],
      ['2025-10-13', '2025-10-19'],
    ],
    end: '2025-10-12',
    ...nextWeek,
  },
  {
    of: 'the second before the next week',
    periods: [
      ['2025-10-06', '2025-10-12T23:59:59'],
      ['2025-10-13', '2025-10-20'],
    ],
    end: '2025-10-12T23:59:59',
    ...nextWeek,
  },
])('stops before the first record at an end on $of', ({ periods, options = [], end, reason, next }) =>
  expectStop(
    invoices(...periods),
    options,
    `invoices.csv: period_end "${end}" may be inclusive, because ${reason}. --ends inclusive reads it as ${next}, --ends exclusive as it is. Nothing is recorded`,
  ),
)

it.each<AmbiguousEnd>([
  {
    of: 'that makes a month as it is written',
    periods: [
      ['2025-01-15', '2025-01-31'],
      ['2025-02-01', '2025-03-01'],
    ],
    end: '2025-03-01',
    reason: 'the period is then a month from 2025-02-01',
    next: '2025-03-02',
  },
  {
    of: 'on the first day of the next week',
    periods: [
      ['2025-10-06', '2025-10-13'],
      ['2025-10-13', '2025-10-20'],
    ],
    end: '2025-10-13',
    reason: 'the next period of the subscription "s" begins on 2025-10-13',
    next: '2025-10-14',
  },
  {
    of: 'on the first day of the next month from the 31st',
    periods: [
      ['2025-01-31', '2025-02-28'],
      ['2025-02-28', '2025-03-31'],
    ],
    end: '2025-02-28',
    reason: 'the next period of the subscription "s" begins on 2025-02-28',
    next: '2025-03-01',
  },
])('stops with --ends inclusive at an end $of', ({ periods, end, reason, next }) =>
  expectStop(
    invoices(...periods),
    ['--ends', 'inclusive'],
    `invoices.csv: period_end "${end}" may be exclusive, because ${reason}. --ends inclusive reads it as ${next}, --ends exclusive as it is. Where a file has both kinds, write the inclusive ones with 23:59:59, and give --ends exclusive. Nothing is recorded`,
  ),
)

it.each<{ of: string; periods: readonly Period[] }>([
  { of: 'the last day of a shorter month', periods: [['2025-01-31', '2025-02-28']] },
  {
    of: 'the last day of 13 weeks that would be three months without it',
    periods: [
      ['2025-12-01', '2026-03-01'],
      ['2026-03-02', '2026-05-31'],
    ],
  },
])('records with --ends inclusive an end on $of', async ({ periods }) => {
  const { counts } = await importContents(client, invoices(...periods), '--ends', 'inclusive')
  expect(counts).toMatchObject({ created: 1 + periods.length })
})

it('records with --ends inclusive an end in the last second of a day, which has one reading', async () => {
  const contents = invoices(['2025-02-01', '2025-03-01 23:59:59'])
  const { counts } = await importContents(client, contents, '--ends', 'inclusive')
  expect(counts).toMatchObject({ created: 2 })
})

it('names the column of an end, and the line of its cell', async () => {
  const sheet = `id,customer_id,subscription_id,total,currency,created,Von,Bis,line_items.amount
0,1,s,100,EUR,01.10.2025,01.10.2025,,60
0,,,,,,,31.10.2025,40
`
  const map = ['--map', 'Von=period_start', '--map', 'Bis=period_end', '--dates', 'DD.MM.YYYY']
  await expectStop(
    { 'customers.csv': 'id\n1\n', 'invoices.csv': sheet },
    map,
    /^line 3 of .*invoices.csv, column "Bis": period_end "31.10.2025" may be inclusive/,
  )
})

it('stops at a line item that ends on the last day of a month', async () => {
  const contents = {
    ...invoices(['2025-10-01', '2025-11-01']),
    'line_items.csv': 'invoice_id,amount,period_start,period_end\n0,100,2025-10-15,2025-11-14\n',
  }
  await expectStop(
    contents,
    [],
    /^line 2 of .*line_items.csv: period_end "2025-11-14" may be inclusive, because the period would then be a month from 2025-10-15\./,
  )
})

it.each([
  ['inclusive', '2025-11-01T00:00:00Z'],
  ['exclusive', '2025-10-31T00:00:00Z'],
])('records with --ends %s the end %s', async (kind, end) => {
  const contents = invoices(['2025-10-01', '2025-10-31'], ['2025-11-01', '2025-11-30'])
  const { counts } = await importContents(client, contents, '--ends', kind)
  expect(counts).toMatchObject({ created: 3 })
  expect(await recordedEntity(client, 'invoices', '0')).toMatchObject({ period_end: Date.parse(end) / 1_000 })
})

it('records an inclusive end in a time zone as the first moment of the next day there', async () => {
  const contents = invoices(['2025-10-01', '2025-10-31'])
  await importContents(client, contents, '--ends', 'inclusive', '--zone', 'Europe/Berlin')
  expect(await recordedEntity(client, 'invoices', '0')).toMatchObject({
    period_end: Date.parse('2025-10-31T23:00:00Z') / 1_000,
  })
})

it('refuses an end within a day with --ends inclusive', async () => {
  const { errors } = await importContents(
    client,
    invoices(['2025-10-01', '2025-10-31 12:30']),
    '--ends',
    'inclusive',
  )
  expect(errors).toEqual([
    expect.stringMatching(/^period_end must be a day, or .* \(got "2025-10-31 12:30"\)\.$/),
  ])
})

it.each<[string, Contents]>([
  [
    'the first moment of the next period',
    invoices(['2025-10-01', '2025-11-01'], ['2025-11-01', '2025-12-01']),
  ],
  [
    'more than a day before the next one',
    invoices(['2025-10-01', '2025-11-01'], ['2025-11-03', '2025-12-03']),
  ],
  ['a period of less than a month', invoices(['2025-10-01', '2025-10-30'])],
  [
    'the second at which the next one begins',
    invoices(['2025-10-31T23:59:59', '2025-11-30T23:59:59'], ['2025-11-30T23:59:59', '2025-12-31T23:59:59']),
  ],
  [
    'the day before a period of another subscription',
    invoices(['2025-10-06', '2025-10-13'], ['2025-10-14', '2025-10-21', 't']),
  ],
])('records an end at %s', async (_, contents) => {
  const { counts } = await importContents(client, contents)
  expect(counts).toMatchObject({ invalid: 0, unchanged: 0, failed: 0 })
})
