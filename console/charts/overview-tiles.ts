import { sum } from 'd3-array'
import type { Overview } from '../figures/overview.ts'
import { linkTo } from '../frame/address.ts'
import type { TileChange, TileData, TileDetail } from '../parts/tile.tsx'
import { monthText } from '../text/dates.ts'
import { changeFrom, counted, money, number, percentText } from '../text/format.ts'
import { monthsAround, timeSpanLabel } from '../text/time-span.ts'
import { invoicesOfMonth, movementsOfMonth, renewalsOfMonth } from './chart-links.ts'

const RATES_RULE = '8-rates'

const growth = (earlier: number | undefined, current: number, duration: string): TileChange[] => {
  const change = earlier === undefined ? undefined : changeFrom(earlier, current)
  if (change === undefined) return []
  return [{ text: `${change} ${duration}`, isGood: current === earlier ? undefined : current > earlier! }]
}

/** Returns the change of the last of some rates, in percentage points. */
const changeOfRate = (rates: readonly (number | null)[], isRiseGood: boolean): TileChange[] => {
  const [earlier = null, current = null] = rates.slice(-2)
  if (rates.length < 2 || earlier === null || current === null) return []
  const points = Math.round((current - earlier) * 1000) / 10
  const arrow = points > 0 ? '▲' : '▼'
  return [
    {
      text: points === 0 ? '=\u00A0month' : `${arrow}\u00A0${number(Math.abs(points))}\u00A0pts month`,
      isGood: points === 0 ? undefined : points > 0 === isRiseGood,
    },
  ]
}

const rounded = (value: number): string => number(Math.round(value * 10) / 10)

const present = (details: readonly (TileDetail | undefined | false)[]): TileDetail[] =>
  details.filter((detail): detail is TileDetail => Boolean(detail))

const monthlyRecurringRevenue = ({ currency, recurringFigures, renewals }: Overview): TileData => {
  const title = 'Monthly recurring revenue'
  if (!recurringFigures)
    return { title, value: money(0, currency), changes: [{ text: `No recurring lines in ${currency}` }] }
  const { now, monthStart, yearAgo, revenueByMonth, awaitingRenewal } = recurringFigures
  return {
    title,
    value: money(now, currency),
    changes: [...growth(monthStart, now, 'month'), ...growth(yearAgo, now, 'year')],
    values: revenueByMonth,
    details: present([
      { term: 'At the start of this month', value: money(monthStart, currency) },
      yearAgo !== undefined && { term: 'A year ago', value: money(yearAgo, currency) },
      { term: 'Times 12, a year', value: money(now * 12, currency) },
      awaitingRenewal > 0 && {
        term: 'Of it renewals up to 3 days late',
        value: money(awaitingRenewal, currency),
        link: renewalsOfMonth(currency)(renewals[0]!.month),
      },
    ]),
    explanation: 'Net: after discounts, without tax. What all recurring lines bring in a month.',
    rule: '5-when-a-line-counts',
  }
}

const netRetention = ({ currency, recurringFigures }: Overview): TileData | undefined => {
  if (!recurringFigures) return undefined
  const { retention, lastMonth, retentionRates } = recurringFigures
  const hasRetention = retention !== undefined && retention.netRetention !== null
  return {
    title: 'Net revenue retention',
    value: hasRetention ? percentText(retention.netRetention!) : '–',
    changes: hasRetention
      ? changeOfRate(retentionRates, true)
      : [{ text: 'No recurring revenue a year ago' }],
    values: retentionRates,
    details: present([
      hasRetention && {
        term: `Customers of ${monthText(retention.since)}, then`,
        value: money(retention.start, currency),
      },
      hasRetention && { term: 'The same customers now', value: money(retention.kept, currency) },
      lastMonth &&
        lastMonth.netRetention !== null && {
          term: `${monthText(lastMonth.month)} alone`,
          value: percentText(lastMonth.netRetention),
        },
    ]),
    explanation:
      'Over 12 months: the recurring revenue now of the customers who had recurring revenue at the end of the month a year ago ÷ their recurring revenue at that time. New customers do not count. The change and the line are those of single months.',
    rule: RATES_RULE,
  }
}

const revenueChurn = ({ currency, recurringFigures }: Overview): TileData | undefined => {
  if (!recurringFigures) return undefined
  const { lastMonth, retention, churnRates, quickRatio } = recurringFigures
  if (!lastMonth) return { title: 'Revenue churn', value: '–', changes: [{ text: 'No full month yet' }] }
  const { month, churn, contraction, churnedCustomers, contractedCustomers } = lastMonth
  return {
    title: `Revenue churn, ${monthText(month)}`,
    value: lastMonth.grossChurn === null ? '–' : percentText(lastMonth.grossChurn),
    changes: changeOfRate(churnRates, false),
    values: churnRates,
    details: present([
      {
        term: `Lost, ${counted(churnedCustomers, 'customer')}`,
        value: money(churn, currency),
        link: movementsOfMonth(currency, 'churn')(month),
      },
      {
        term: `Contraction, ${counted(contractedCustomers, 'customer')}`,
        value: money(contraction, currency),
        link: movementsOfMonth(currency, 'contraction')(month),
      },
      retention &&
        retention.grossChurn !== null && {
          term: `Customers of ${monthText(retention.since)}, until now`,
          value: percentText(retention.grossChurn),
        },
      quickRatio.ratio !== null && {
        term: `Quick ratio, ${counted(quickRatio.months, 'full month')}`,
        value: rounded(quickRatio.ratio),
      },
    ]),
    explanation:
      'Of the month: lost and contraction ÷ the revenue at its start. Over 12 months: what the customers at the end of the month a year ago bring less now ÷ what they brought then. Losses of newer customers do not count, so it is not the sum of the months. Quick ratio: new, reactivated and expansion ÷ contraction and lost.',
    rule: RATES_RULE,
  }
}

const activeCustomers = ({ currency, currencies, recurringFigures }: Overview): TileData | undefined => {
  if (!recurringFigures) return undefined
  const { customers, customersInAllCurrencies, averageRevenue, customersByMonth } = recurringFigures
  const { lifetime, lifetimeValue, trials } = recurringFigures
  const change = customersByMonth.length < 2 ? 0 : customers - customersByMonth.at(-2)!
  const each = averageRevenue === null ? undefined : money(Math.round(averageRevenue), currency)
  return {
    title: `Active customers, ${currency}`,
    value: number(customers),
    changes: [
      ...(change === 0
        ? []
        : [{ text: `${change > 0 ? '▲' : '▼'}\u00A0${number(Math.abs(change))} month`, isGood: change > 0 }]),
      ...(each === undefined ? [] : [{ text: `${each} each` }]),
    ],
    values: customersByMonth,
    details: present([
      each !== undefined && { term: 'Each, a month', value: each },
      currencies.length > 1 && { term: 'In all currencies', value: number(customersInAllCurrencies) },
      lifetime !== null && { term: 'Estimated stay', value: `${rounded(lifetime)}\u00A0months` },
      lifetimeValue !== null && {
        term: 'Estimated lifetime value',
        value: money(Math.round(lifetimeValue), currency),
      },
      trials.ended > 0 && {
        term: 'Trials converted, 12 months',
        value: `${number(trials.converted)} of ${number(trials.ended)}`,
      },
    ]),
    explanation: `Customers with a recurring line in ${currency} whose billed period includes today, or ended less than three days ago. Estimated stay: 1 ÷ the mean share of customers lost in each of the last twelve full months. Stay and trials are those of all currencies.`,
    rule: '6-who-is-active',
  }
}

const expectedRenewals = ({ currency, renewals, recurringFigures }: Overview): TileData | undefined => {
  const [currentMonth, nextMonth] = renewals
  if (!recurringFigures || !currentMonth || !nextMonth) return undefined
  const linkOfMonth = renewalsOfMonth(currency)
  const quarter = { first: monthsAround(currentMonth.month, 3).first + 3, count: 3 } as const
  const inQuarter = renewals.filter(({ month }) => month >= quarter.first && month < quarter.first + 3)
  const invoicesInQuarter = sum(inQuarter, ({ invoices }) => invoices)
  return {
    title: `Renews in ${monthText(nextMonth.month)}, net`,
    value: money(nextMonth.amount, currency),
    changes: [{ text: counted(nextMonth.invoices, 'invoice') }],
    values: renewals.map(({ amount }) => amount),
    details: present([
      { term: 'Invoices expected', value: number(nextMonth.invoices), link: linkOfMonth(nextMonth.month) },
      {
        term: 'More this month',
        value: number(currentMonth.invoices),
        link: linkOfMonth(currentMonth.month),
      },
      currentMonth.late > 0 && {
        term: 'Of it late',
        value: number(currentMonth.late),
        link: linkTo(['subscriptions'], { currency, kind: 'late' }),
      },
      {
        term: `Expected in ${timeSpanLabel(quarter)}, ${counted(invoicesInQuarter, 'invoice')}`,
        value: money(
          sum(inQuarter, ({ amount }) => amount),
          currency,
        ),
      },
    ]),
    explanation: 'What active subscriptions are expected to be invoiced at the end of their billed periods.',
    rule: '19-expected-renewals',
  }
}

const invoicedSoFar = ({ invoicedInYear, currency }: Overview): TileData => {
  const { month, invoiced } = invoicedInYear.at(-1)!
  const lastMonth = invoicedInYear.at(-2)
  const linkOfMonth = invoicesOfMonth(currency)
  const lastText = lastMonth && money(lastMonth.invoiced, currency)
  return {
    title: `Invoiced in ${monthText(month)}`,
    value: money(invoiced, currency),
    changes: lastMonth ? [{ text: `${lastText} in ${monthText(lastMonth.month)}` }] : [],
    values: invoicedInYear.map((ofMonth) => ofMonth.invoiced),
    details: present([
      { term: 'This month so far', value: money(invoiced, currency), link: linkOfMonth(month) },
      lastMonth && {
        term: monthText(lastMonth.month),
        value: lastText!,
        link: linkOfMonth(lastMonth.month),
      },
    ]),
    explanation: 'The totals of all invoices of the month, with tax. Credits count with their sign.',
    rule: '10-invoiced',
  }
}

/** The tiles of the overview, all of one currency. A tile that the figures do not have is undefined. */
export const overviewTiles: readonly ((overview: Overview) => TileData | undefined)[] = [
  monthlyRecurringRevenue,
  netRetention,
  revenueChurn,
  activeCustomers,
  expectedRenewals,
  invoicedSoFar,
]
