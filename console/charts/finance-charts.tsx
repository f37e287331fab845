import type { RevenueMonth, ScheduledMonth } from '../../client/analytics/index.ts'
import { invoicesOfMonth } from './chart-links.ts'
import { type ChartData, seriesOf } from './chart-panel.tsx'

const REVENUE_RULE = '12-recognised-deferred-and-unbilled'

export const revenueChart = (months: readonly RevenueMonth[], currency: string): ChartData => ({
  title: 'Recognised and deferred revenue, net',
  rule: REVENUE_RULE,
  months,
  currency,
  kind: 'lines',
  series: [
    { ...seriesOf(months, 'billed', 'Billed'), linkOfMonth: invoicesOfMonth(currency) },
    { ...seriesOf(months, 'recognised', 'Recognised'), colour: 'series-1' },
    { ...seriesOf(months, 'deferred', 'Deferred'), colour: 'series-2' },
    { ...seriesOf(months, 'unbilled', 'Unbilled'), colour: 'series-4' },
  ],
  hasTable: true,
  explanation:
    'Billed: the lines of the invoices created in the month, amount − discount, without tax. Recognised: each line evenly over its own period; a recurring line without a period over the period of its invoice; any other line at once. Deferred, at the end of the month or now: billed, but not recognised yet. Unbilled: recognised, but billed later. So all billed revenue − all recognised revenue = deferred − unbilled. This is not advice on any accounting standard.',
})

export const deferredScheduleChart = (months: readonly ScheduledMonth[], currency: string): ChartData => ({
  title: 'Deferred revenue schedule, net',
  rule: REVENUE_RULE,
  months,
  currency,
  kind: 'bars',
  series: [{ ...seriesOf(months, 'recognised', 'Recognised'), colour: 'series-1' }],
  isForecast: true,
  hasTable: true,
  explanation:
    'The revenue that is deferred now, by the month in which it will be recognised. The months add up to that amount.',
})
