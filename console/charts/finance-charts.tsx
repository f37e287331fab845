import type { RevenueMonth, ScheduledMonth } from '../../client/analytics/index.ts'
import { ChartCard, seriesOf } from './chart-card.tsx'
import { invoicesOfMonth } from './chart-links.ts'
import { hues } from './hues.ts'

interface RevenueChartProps {
  readonly months: readonly RevenueMonth[]
  readonly currency: string
}

/** Billed, recognised, deferred and unbilled revenue, as lines. */
export const RevenueChart = ({ months, currency }: RevenueChartProps) => (
  <ChartCard
    title="Recognised and deferred revenue, net"
    rule="12-recognised-deferred-and-unbilled"
    months={months}
    currency={currency}
    kind="lines"
    series={[
      { ...seriesOf(months, 'billed', 'Billed'), linkOfMonth: invoicesOfMonth(currency) },
      { ...seriesOf(months, 'recognised', 'Recognised'), hue: hues.blue },
      { ...seriesOf(months, 'deferred', 'Deferred'), hue: hues.orange },
      { ...seriesOf(months, 'unbilled', 'Unbilled'), hue: hues.purple },
    ]}
    isOpen
  >
    Billed: the lines of the invoices created in the month, amount − discount, without tax. Recognised: each
    line evenly over its own period; a recurring line without a period over the period of its invoice; any
    other line at once. Deferred, at the end of the month or now: billed, but not recognised yet. Unbilled:
    recognised, but billed later. So all billed revenue − all recognised revenue = deferred − unbilled. This
    is not advice on any accounting standard.
  </ChartCard>
)

interface DeferredScheduleChartProps {
  readonly months: readonly ScheduledMonth[]
  readonly currency: string
}

/** The revenue that is deferred now, by the month in which it will be recognised, as bars. */
export const DeferredScheduleChart = ({ months, currency }: DeferredScheduleChartProps) => (
  <ChartCard
    title="Deferred revenue schedule, net"
    rule="12-recognised-deferred-and-unbilled"
    months={months}
    currency={currency}
    kind="bars"
    series={[{ ...seriesOf(months, 'recognised', 'Recognised'), hue: hues.blue }]}
    isForecast
    isOpen
  >
    The revenue that is deferred now, by the month in which it will be recognised. The months add up to that
    amount.
  </ChartCard>
)
