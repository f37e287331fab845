import type { ListName } from '../../../console/lists/columns.ts'
import { currentCsvForm, rememberCsvForm } from '../../../console/parts/csv-button.tsx'
import { FinanceView } from '../../../console/views/figures/finance-view.tsx'
import { OverviewView } from '../../../console/views/figures/overview-view.tsx'
import { CopiedListView } from '../../../console/views/lists/copied-list-view.tsx'
import { kindOfInvoice } from '../../../console/views/records/invoice-view.tsx'
import { StatementView } from '../../../console/views/records/statement-view.tsx'
import { lineOf } from '../../client/analytics/invoices.ts'
import { range } from '../../support/range.ts'
import { filledCopy, invoice } from '../copy/copy-in-memory.ts'
import { expectTexts, rendered, resourceOf } from './rendered.tsx'

const ann = {
  id: 'ann',
  external_id: 'own-ann',
  name: 'Ann',
  email: 'ann@example.org',
  metadata: { country: 'DE' },
}

/** Two hundred and fifty invoices, with credits of them and an invoice in another currency. */
const business = () =>
  filledCopy(
    [ann],
    [
      ...range(248).map((index) => invoice(`${index}`, { days: 1, total: 100 })),
      invoice('credit', { days: 2, total: -500 }),
      invoice('dollars', { days: 3, total: 900, currency: 'USD' }),
    ],
  )

const list = (plural: ListName) => (query: Readonly<Record<string, string>>) => (
  <CopiedListView list={plural} resource={resourceOf(plural)} query={query} />
)

it.each<{ title: string; view: ReturnType<typeof list>; query?: Record<string, string>; texts: string[] }>([
  {
    title:
      'the list of invoices shows its first rows, and the sums of all rows once, with credit notes apart',
    view: list('invoices'),
    texts: [
      '250 invoices',
      'Rows 1–100 of 250',
      '248 invoices and 1 credit note, EUR',
      '€243.00',
      'Page 1 of 3',
    ],
  },
  {
    title: 'the last page of a list shows its last rows',
    view: list('invoices'),
    query: { page: '3' },
    texts: ['Rows 201–250 of 250', 'Page 3 of 3'],
  },
  {
    title: 'a filtered list states its filters',
    view: list('invoices'),
    query: { text: 'Ann', within: '2026-06', kind: 'credits', currency: 'EUR', by: 'country', segment: 'DE' },
    texts: ['Filtered by: “Ann”, Created in Jun 2026, Credit notes, EUR, country: DE', '1 invoice'],
  },
  {
    title: 'a list without a matching row names the filter',
    view: list('customers'),
    query: { text: 'Bob' },
    texts: ['There are no customers to show with the filter “Bob”.'],
  },
  {
    title: 'a list in a currency that no invoice has names the currencies of the invoices',
    view: list('invoices'),
    query: { currency: 'JPY' },
    texts: ['No invoice is in JPY. There are invoices in EUR, USD.'],
  },
  {
    title: 'the movements of a quarter lead to those of other months, quarters and years, and of each kind',
    view: list('movements'),
    query: { within: '2026-Q2', plan: 'Pro', reason: 'price' },
    texts: [
      'Changed in Q2 2026 Any time This month Last month Q2 2026 2026 ›',
      'Net change · 0 – New · 0 – Reactivated · 0 – Expansion · 0 – Contraction · 0 – Lost · 0 –',
      'Filtered by: Changed in Q2 2026, Plan: Pro, Reason: Price',
    ],
  },
  {
    title: 'the movements that a figure of all currencies counts name the customers',
    view: list('movements'),
    query: { customers: 'new' },
    texts: [
      'New customers, all currencies ✕',
      '2 movements',
      'Net change · 2 +€243.00, +$9.00',
      // What customers bring after a movement is not added up.
      '1 movement, EUR +€243.00 Jun 2026 Ann New Pro €243.00 +€243.00',
    ],
  },
  {
    title: 'a statement shows the parties, and the total of each currency',
    view: (query) => <StatementView id="own-ann" query={query} />,
    texts: ['Example Ltd', 'ann@example.org', '€243.00', '$9.00'],
  },
  {
    title: 'the overview shows the figures of the currency of most invoices',
    view: (query) => <OverviewView query={query} />,
    texts: ['Counted from 250 invoices', 'Recurring revenue', 'Ann'],
  },
  {
    title: 'the overview with an empty key of the metadata is divided by plan',
    view: (query) => <OverviewView query={query} />,
    query: { by: '' },
    texts: ['Recurring revenue by plan', 'All plans'],
  },
  {
    title: 'a list with an empty key of the metadata has no column for it',
    view: list('customers'),
    query: { by: '' },
    texts: ['Customer Email Your id'],
  },
  {
    title: 'the finance view shows revenue and retention in a chosen currency',
    view: (query) => <FinanceView query={query} />,
    query: { currency: 'USD' },
    texts: ['Recognised and deferred revenue, net', '$9.00', 'Retention by cohort'],
  },
])('$title', async ({ view, query = {}, texts }) =>
  expectTexts(rendered(await business(), view(query)), texts),
)

it('a one-off invoice is linked to, but not among the records that may be meant otherwise', async () => {
  const oneOff = invoice('one-off')
  const noPeriod = { interval: null, period_start: null, period_end: null }
  const line_items = [lineOf({ ...noPeriod, type: 'one_time', amount: oneOff.total })]
  const copy = await filledCopy([ann], [invoice('monthly'), { ...oneOff, line_items }])
  const text = rendered(copy, <OverviewView query={{}} />)
  expectTexts(text, ['They include invoices without a recurring line'], ['No rule can decide'])
})

it('the tiles of the overview tell growth, stay, trials, late renewals and the next quarter', async () => {
  const copy = await filledCopy(
    [ann],
    [
      ...range(20).map((index) => invoice(`ann-${index}`, { days: index * 30 })),
      ...range(10).map((index) => invoice(`left-${index}`, { customer: 'left', days: 100 + index * 30 })),
      invoice('converted', { customer: 'late', days: 121, total: 0 }),
      ...range(3).map((index) => invoice(`late-${index}`, { customer: 'late', days: 31 + index * 30 })),
      invoice('tried', { customer: 'tried', days: 200, total: 0 }),
    ],
  )
  expectTexts(rendered(copy, <OverviewView query={{}} />), [
    // Left and Late began with 49.00 each, and Left left.
    'Quick ratio, 12 full months 2',
    // One of three customers was lost in one of twelve months: 1 ÷ (1/3 ÷ 12).
    'Estimated stay 36 months',
    // 49.00 each at the end of May.
    'Estimated lifetime value €1,764.00',
    'Trials converted, 12 months 1 of 2',
    'Of it late 1',
    'Expected in Q3 2026, 6 invoices €294.00',
  ])
})

/** A year billed in April with 19 % of tax, of which a part was credited in June, when April and May were closed. */
const closedBusiness = () => {
  const april = Date.UTC(2026, 3, 1) / 1000
  const period = { period_start: april, period_end: Date.UTC(2027, 3, 1) / 1000 }
  const yearly = (id: string, created: number, amount: number) => ({
    ...invoice(id),
    ...period,
    created,
    changed: created,
    total: amount * 1.19,
    line_items: [
      lineOf({ ...period, amount, tax_amount: amount * 0.19, type: 'recurring', interval: 'year' }),
    ],
  })
  const credited = Date.UTC(2026, 5, 10) / 1000
  return filledCopy([ann], [yearly('year', april, 365_000), yearly('credit', credited, -36_500)])
}

it('the close of a month shows revenue as closed, VAT, deferred lines, and what changed it later', async () => {
  const copy = await closedBusiness()
  expectTexts(rendered(copy, <FinanceView query={{ close: '2026-04' }} />), [
    // April has 30 of 365 days, and what was credited later is in June.
    '2026-04 3 May 2026 €0.00 €3,650.00 €300.00 €0.00 €3,350.00 €0.00',
    '2026-05 3 Jun 2026',
    'not closed',
    'VAT by country and rate, Apr 2026',
    'DE 19% €3,650.00 €693.50 €4,343.50 €0.00',
    '1 line, deferred €3,350.00, unbilled €0.00',
    'Apr 2026 Ann 10 Jun 2026 −€365.00 −€30.00',
    'May 2026 Ann 10 Jun 2026 −€365.00 −€31.00',
  ])
  expectTexts(rendered(copy, <FinanceView query={{ close: '2026-Q2' }} />), [
    'DE 19% €3,285.00 €624.15 €3,909.15 −€434.35',
    'VAT by country and rate, Q2 2026 as known now',
  ])
})

it.each<{ recorded: string; close?: string; shown: string[] }>([
  {
    recorded: '2026-05-20',
    shown: [
      'As recorded until 20 May 2026',
      '2026-05 not closed €3,350.00 €0.00 €200.00 €0.00 €3,150.00 €0.00 2026-04 3 May 2026',
      'VAT by country and rate, Q2 2026 as recorded until 20 May 2026',
      'DE 19% €3,650.00 €693.50 €4,343.50 €0.00',
      'as recorded until 20 May 2026: 1 line, deferred €3,150.00, unbilled €0.00',
      'Nothing was recorded after a month was closed.',
    ],
  },
  // The day itself is included, and so is what was recorded in its last hours.
  {
    recorded: '2026-06-10',
    shown: ['DE 19% €3,285.00 €624.15 €3,909.15 −€434.35', 'Apr 2026 Ann 10 Jun 2026'],
  },
  {
    recorded: '2026-06-10',
    close: '2026-04',
    shown: ['as recorded until 10 Jun 2026: 2 lines, deferred €3,350.00, unbilled −€30.00'],
  },
  { recorded: '2026-06-09', shown: ['DE 19% €3,650.00', 'Nothing was recorded after a month was closed.'] },
  // A later day than today is now.
  { recorded: '2027-01-01', shown: ['2026-06 not closed', 'DE 19% €3,285.00 €624.15 €3,909.15 −€434.35'] },
])(
  'the close of a month shows what was recorded until $recorded',
  async ({ recorded, close = '2026-Q2', shown }) => {
    const copy = await closedBusiness()
    expectTexts(rendered(copy, <FinanceView query={{ close, recorded }} />), shown)
  },
)

it('changes to closed months say how many there are if not all are shown, and CSV has all', async () => {
  const late = Date.UTC(2026, 5, 10) / 1000
  const copy = await filledCopy(
    [ann],
    [
      invoice('first', { days: 75 }),
      ...range(60).map((index) => ({ ...invoice(`${index}`, { days: 40 }), changed: late })),
    ],
  )
  const text = rendered(copy, <FinanceView query={{}} />)
  expect(text).toContain('60 changes; the 50 of the latest months')
  const csv = await copy.answer('closeCsv', { table: 'changes', form: 'point' }).text()
  const lines = csv.trim().split('\r\n')
  expect(lines[0]).toBe(
    'Month,Customer,Recorded,Currency,Net of the invoice,Recognised for the month,Invoice id',
  )
  expect(lines).toHaveLength(61)
  expect(lines[1]).toMatch(/^2026-05,Ann,2026-06-10,EUR,49\.00,/)
})

it('the lines behind deferred revenue add up to the close of the month, and CSV has all of them', async () => {
  const copy = await business()
  const { close } = copy.answer('finance', { close: '2026-06' })!
  expect(close.deferred.lines).toHaveLength(50)
  expect(close.deferred.deferred - close.deferred.unbilled).toBe(close.closes[0]!.closing)
  const text = await copy.answer('closeCsv', { table: 'deferred', close: '2026-06', form: 'point' }).text()
  const cells = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(cells).toHaveLength(close.deferred.count + 1)
  const index = cells[0]!.indexOf('Deferred')
  const sum = cells.slice(1).reduce((total, row) => total + Number(row[index]) * 100, 0)
  expect(Math.round(sum)).toBe(close.deferred.deferred)
})

it('CSV has the numbers of the language of the browser, until another form is chosen', () => {
  const languages = jest.replaceProperty(navigator, 'languages', [])
  const formIn = (language: string) => {
    languages.replaceValue([language])
    return currentCsvForm()
  }
  expect(['en-GB', 'de-DE', 'fr-CH', 'ja'].map(formIn)).toEqual(['point', 'comma', 'comma', 'point'])
  rememberCsvForm('point')
  expect(formIn('de-DE')).toBe('point')
  languages.restore()
})

it.each([
  [-1, 'Credit note'],
  [0, 'Invoice'],
  [1, 'Invoice'],
])('a record with a total of %i is shown as "%s"', (total, kind) =>
  expect(kindOfInvoice({ id: 'one', total })).toBe(kind),
)
