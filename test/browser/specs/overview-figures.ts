import { expect, type Page } from '@playwright/test'
import * as analytics from '../../../client/analytics/index.ts'
import { beginning, counted, money, monthText, number, percent } from '../../../console/text/format.ts'

/** Every figure of the overview: as the page shows it, and as the functions of analytics return it. */

type Invoices = readonly analytics.Invoice[]
type Chart<Value = number> = analytics.Chart<Value>

const SHOWN_MONTHS = 12
const SHOWN_RANKS = 8

/** What the overview shows, as texts. */
interface Shown {
  /** The big figure and the text below of each tile, by its title. */
  readonly tiles: Readonly<Record<string, readonly string[]>>
  /** The rows of each table of figures, the latest month first. */
  readonly tables: Readonly<Record<string, readonly (readonly string[])[]>>
  /** The names and amounts of each ranking. */
  readonly rankings: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly changes: readonly string[]
}

/** Reads the page in the browser: nothing of it is computed here. */
const readOverview = `(() => {
  const textsOf = (root, selector) => [...root.querySelectorAll(selector)].map(({ textContent }) => textContent)
  const all = (selector, entryOf) => Object.fromEntries([...document.querySelectorAll(selector)].map(entryOf))
  return {
    tiles: all('.tile', (tile) => [textsOf(tile, 'h2')[0], textsOf(tile, 'p')]),
    tables: all('section[aria-label$=", figures"]', (table) => [
      table.getAttribute('aria-label').replace(', figures', ''),
      [...table.querySelectorAll('tr')].map((row) => textsOf(row, 'th, td')),
    ]),
    rankings: all('.ranking', (ranking) => [
      textsOf(ranking, 'h2')[0],
      [...ranking.querySelectorAll('li')].map((row) => [textsOf(row, 'bdi')[0], textsOf(row, 'span').at(-1)]),
    ]),
    changes: textsOf(document, '.happened li'),
  }
})()`

const valuesOf = <Value>(chart: Chart<Value>, name: string): readonly Value[] =>
  chart.series.find((series) => series.name === name)!.values

const inCurrency = <Item extends { readonly currency: string | undefined }>(
  items: readonly Item[],
  currency: string,
): Item | undefined => items.find((each) => each.currency === currency)

const shortMonth = (month: number): string => monthText(month).split(' ')[0]!

const recurringTile = (chart: Chart | undefined, currency: string): string[] => {
  if (!chart) return [money(0, currency), `No recurring lines in ${currency}`]
  const [then, now] = [undefined, ...valuesOf(chart, 'All plans')].slice(-2)
  const month = shortMonth(chart.months.at(-1)! - 1)
  if (!then) return [money(now!, currency), `No revenue at the end of ${month}`]
  const share = (now! - then) / then
  const sign = share > 0 ? '▲' : share < 0 ? '▼' : '='
  return [money(now!, currency), `${sign} ${percent(Math.abs(share))} vs. the end of ${month}`]
}

const signed = (sign: string, count: number): string => `${count > 0 ? sign : ''}${number(count)}`

const tilesOf = (invoices: Invoices, now: number, currency: string, many: boolean): Shown['tiles'] => {
  const customers = analytics.customersByMonth(invoices, now)
  const at = (name: string, month: number) => valuesOf(customers, name).at(month) ?? 0
  const rate = analytics.ratesByMonth(invoices, now)[0]!.series[0]!.values.at(-2)
  const invoiced = inCurrency(analytics.invoicedByMonth(invoices, now), currency)!
  const month = invoiced.months.at(-1)!
  const [before, current] = [undefined, ...invoiced.series[0]!.values].slice(-2)
  const all = many ? ', all currencies' : ''
  return {
    'Monthly recurring revenue': recurringTile(
      inCurrency(analytics.recurringByMonth(invoices, now), currency),
      currency,
    ),
    [`Active customers${all}`]: [
      number(at('Active', -1)),
      `${signed('+', at('New', -1) + at('Reactivated', -1))} new or back, ${signed('−', at('Lost', -1))} lost or not yet renewed`,
    ],
    [`Lost, ${monthText(month - 1)}${all}`]: [
      rate === null || rate === undefined ? '–' : percent(rate),
      at('Active', -3) > 0
        ? `${number(at('Lost', -2))} of ${counted(at('Active', -3), 'customer')}`
        : 'No full month with customers yet',
    ],
    [`Invoiced, ${monthText(month)}`]: [
      money(current!, currency),
      before === undefined ? 'The first month' : `${money(before, currency)} in ${shortMonth(month - 1)}`,
    ],
  }
}

const tableOf = ({ names, series, currency }: Chart): string[][] => {
  const rows = names.map((name, index) => [
    `${name}${index === names.length - 1 ? ' so far' : ''}`,
    ...series.map(({ values }) => money(values[index]!, currency)),
  ])
  const heading = ['Month', ...series.map(({ name }) => beginning(beginning(name, 60), 30))]
  return [heading, ...rows.slice(-SHOWN_MONTHS).toReversed()]
}

const tablesOf = (invoices: Invoices, now: number, currency: string, many: boolean): Shown['tables'] => {
  const charts = {
    'Recurring revenue by plan': analytics.recurringByMonth(invoices, now),
    'Movements of recurring revenue': analytics.movementsByMonth(invoices, now),
    Invoiced: analytics.invoicedByMonth(invoices, now),
  }
  const customers = `Customers${many ? ', all currencies' : ''}`
  return Object.fromEntries([
    ...Object.entries(charts).flatMap(([title, each]) => {
      const chart = inCurrency(each, currency)
      return chart ? [[title, tableOf(chart)]] : []
    }),
    [customers, tableOf(analytics.customersByMonth(invoices, now))],
  ])
}

/** The names of customers by their id. */
type Names = ReadonlyMap<string, string>

const rankingsOf = (invoices: Invoices, now: number, currency: string, names: Names): Shown['rankings'] => {
  const { months } = inCurrency(analytics.invoicedByMonth(invoices, now), currency)!
  const since = Date.UTC(1970, months.slice(-SHOWN_MONTHS)[0]!) / 1000
  const recent = invoices.filter(({ created }) => created >= since)
  const rankings = {
    'Revenue by plan': analytics.billedByPlan(recent, now),
    'Who pays most': analytics.invoicedByCustomer(recent, now),
    'What discounts cost': analytics.discountedByDiscount(recent, now),
  }
  const rowsOf = (each: readonly analytics.Ranking[]) =>
    (inCurrency(each, currency)?.rows ?? [])
      .slice(0, SHOWN_RANKS)
      .map(({ key, name, amount }) => [beginning(names.get(key) ?? name, 60), money(amount, currency)])
  return Object.fromEntries(
    Object.entries(rankings).map(([title, each]) => [`${title}, ${SHOWN_MONTHS} months`, rowsOf(each)]),
  )
}

const verbs: Readonly<Record<string, string>> = {
  New: 'joined',
  Reactivated: 'came back',
  Lost: 'left or not yet renewed',
  Expansion: 'upgraded',
  Contraction: 'downgraded',
}

const changesOf = (invoices: Invoices, now: number, currency: string): string[] => {
  const month = inCurrency(analytics.invoicedByMonth(invoices, now), currency)!.months.at(-1)!
  const inMonth = (each: { readonly month: number }) => each.month === month
  const movements = analytics.movementsOf(invoices, now).filter((each) => each.currency === currency)
  const named = (name: string) => [
    ...analytics.customerChangesOf(invoices, now).filter((each) => each.name === name),
    ...movements.filter((each) => each.name === name && /Expansion|Contraction/.test(name)),
  ]
  const since = Date.UTC(1970, month) / 1000
  const credits = invoices.filter(
    (each) => each.total < 0 && each.currency === currency && each.created >= since && each.created <= now,
  )
  return [
    ...Object.entries(verbs).map(([name, verb]) => {
      const customers = new Set(
        named(name)
          .filter(inMonth)
          .map(({ customer_id }) => customer_id),
      )
      return `${counted(customers.size, 'customer')} ${verb}`
    }),
    counted(credits.length, 'credit'),
    'All invoices of this week',
  ]
}

/** Expects the overview, of a currency and twelve months, to show what the functions of analytics return for `invoices`. */
export const expectOverview = async (
  page: Page,
  { invoices, currency, names }: { invoices: Invoices; currency: string; names: Names },
): Promise<void> => {
  const now = Math.floor(Date.now() / 1000)
  const many = new Set(invoices.map((each) => each.currency)).size > 1
  const expected: Shown = {
    tiles: tilesOf(invoices, now, currency, many),
    tables: tablesOf(invoices, now, currency, many),
    rankings: rankingsOf(invoices, now, currency, names),
    changes: changesOf(invoices, now, currency),
  }
  await expect.poll(() => page.evaluate<Shown>(readOverview)).toEqual(expected)
}
