import type {
  CalendarMonth,
  CustomersMonth,
  InvoicedMonth,
  MovementsMonth,
  RenewalsMonth,
} from '../../client/analytics/index.ts'
import { NO_SEGMENT } from '../../client/analytics/segments.ts'
import type { PlanRevenue, RecurringOverview } from '../figures/overview.ts'
import type { PlotSeries } from '../plot/plot-data.ts'
import { NO_PLAN_NAME } from '../text/format.ts'
import { ChartCard, seriesOf } from './chart-card.tsx'
import { customersWhoChanged, invoicesOfMonth, renewalsOfMonth } from './chart-links.ts'
import { hues } from './hues.ts'

/** The hues of plans. With more plans, colours would be hard to tell apart, so the plot shows the other plans as one series. */
const PLAN_HUES = [hues.blue, hues.green, hues.orange, hues.purple, hues.red, hues.turquoise]
const OTHERS_HUE = hues.yellow

const planLabel = ({ name }: PlanRevenue): string => name ?? NO_PLAN_NAME

/** Returns the sum of the plans' values in each month. */
const sumsByMonth = (plans: readonly PlanRevenue[]): number[] =>
  plans[0]!.values.map((_, index) => plans.reduce((sum, { values }) => sum + values[index]!, 0))

/** Returns the plans or segments with a series of their own: the first ones, and always the customers without a value. */
const plansWithSeries = (plans: readonly PlanRevenue[]): readonly PlanRevenue[] => {
  if (plans.length <= PLAN_HUES.length) return plans
  const withoutValue = plans.filter(({ key }) => key === NO_SEGMENT)
  const withValue = plans.filter(({ key }) => key !== NO_SEGMENT)
  return [...withValue.slice(0, PLAN_HUES.length - withoutValue.length), ...withoutValue]
}

/** Returns the series of the plot: some plans or segments, and the sum of the others, which the plural noun names. */
const planSeries = (plans: readonly PlanRevenue[], plural: string): PlotSeries[] => {
  const shown = plansWithSeries(plans)
  const series = shown.map((plan, index) => ({ ...plan, label: planLabel(plan), hue: PLAN_HUES[index]! }))
  const others = plans.filter((plan) => !shown.includes(plan))
  if (others.length === 0) return series
  // Without their number, since the revenue of some can be 0 in a month.
  const label = `Other ${plural}`
  return [...series, { key: 'others', label, hue: OTHERS_HUE, values: sumsByMonth(others) }]
}

interface ChartProps<FiguresMonth extends CalendarMonth> {
  readonly months: readonly FiguresMonth[]
  readonly currency: string
}

interface RecurringChartProps extends RecurringOverview {
  readonly currency: string
  /** The key of the customers' metadata by which the revenue is divided; undefined if it is divided by plan. */
  readonly by: string | undefined
}

/** Recurring revenue by plan or by segment, as stacked areas. */
export const RecurringChart = ({ months, plans, currency, by }: RecurringChartProps) => (
  <ChartCard
    title={`Recurring revenue by ${by ?? 'plan'}, net`}
    rule="5-when-a-line-counts"
    months={months}
    currency={currency}
    kind="areas"
    series={[
      seriesOf(months, 'total', by ? 'All' : 'All plans'),
      ...plans.map((plan) => ({ ...plan, label: planLabel(plan) })),
    ]}
    plotted={planSeries(plans, by ? 'values' : 'plans')}
  >
    All recurring lines that are paid for at the end of the month, or now: amount − discount, without tax,
    divided by the number of months in their interval (a day is 12/365.25 months, a week seven times that).{' '}
    {by
      ? `A line belongs to the value of “${by}” that its customer has now.`
      : 'A plan is a product: a line belongs to the product of its price.'}
  </ChartCard>
)

/** The movements of recurring revenue, as bars above and below 0. */
export const MovementsChart = ({ months, currency }: ChartProps<MovementsMonth>) => (
  <ChartCard
    title="Movements of recurring revenue, net"
    rule="7-movements"
    months={months}
    currency={currency}
    kind="bars"
    series={[
      seriesOf(months, 'start', 'Start'),
      {
        ...seriesOf(months, 'new', 'New'),
        hue: hues.green,
        linkOfMonth: customersWhoChanged('began', currency),
      },
      {
        ...seriesOf(months, 'reactivation', 'Reactivation'),
        hue: hues.turquoise,
        linkOfMonth: customersWhoChanged('reactivation', currency),
      },
      {
        ...seriesOf(months, 'expansion', 'Expansion'),
        hue: hues.blue,
        linkOfMonth: customersWhoChanged('expansion', currency),
      },
      {
        ...seriesOf(months, 'contraction', 'Contraction'),
        hue: hues.orange,
        linkOfMonth: customersWhoChanged('contraction', currency),
      },
      {
        ...seriesOf(months, 'churn', 'Churn'),
        hue: hues.red,
        linkOfMonth: customersWhoChanged('churn', currency),
      },
      seriesOf(months, 'end', 'End'),
    ]}
  >
    The change of each customer’s recurring revenue from the end of one month to the end of the next: start +
    new + reactivation + expansion + contraction + churn = end. Contraction and churn are below 0. A customer
    whose renewal is more than three days late counts as churn, until the renewal is recorded. A month is
    final from the fourth day after it if changes are invoiced at once. If prorations come with the next
    invoice, which is Stripe’s default, the month changes until then. A later credit for the month also
    changes it.
  </ChartCard>
)

/** The expected renewals, by month. */
export const RenewalsChart = ({ months, currency }: ChartProps<RenewalsMonth>) => (
  <ChartCard
    title="Expected renewals, net"
    months={months}
    currency={currency}
    kind="bars"
    isForecast
    series={[
      {
        ...seriesOf(months, 'amount', 'Expected'),
        hue: hues.turquoise,
        linkOfMonth: renewalsOfMonth(currency),
      },
      { ...seriesOf(months, 'invoices', 'Invoices'), isCount: true },
    ]}
  >
    Each active subscription is expected to be invoiced again at the end of each paid period, at the current
    value of its plans: a monthly plan in each month, a yearly plan once a year. Customers who join, leave or
    change their plan are not predicted.
  </ChartCard>
)

interface CustomersChartProps {
  readonly months: readonly CustomersMonth[]
  readonly title: string
}

/** The numbers of customers who joined, came back and left, as bars above and below 0. */
export const CustomersChart = ({ months, title }: CustomersChartProps) => (
  <ChartCard
    title={title}
    rule="6-who-is-active"
    months={months}
    kind="bars"
    series={[
      seriesOf(months, 'active', 'Active'),
      { ...seriesOf(months, 'new', 'New'), hue: hues.green, linkOfMonth: customersWhoChanged('new') },
      {
        ...seriesOf(months, 'reactivated', 'Reactivated'),
        hue: hues.turquoise,
        linkOfMonth: customersWhoChanged('reactivated'),
      },
      {
        ...seriesOf(months, 'lost', 'Lost'),
        hue: hues.red,
        isNegated: true,
        linkOfMonth: customersWhoChanged('lost'),
      },
    ]}
  >
    Active: a recurring line of the customer is paid for at the end of the month, or now, or its period ended
    less than three days before, as a renewal may be late. New: active for the first time. Reactivated: active
    again. Lost: active a month before, and no longer, which includes customers whose renewal is more than
    three days late, until it is recorded. So active = active a month before + new + reactivated − lost. The
    share of lost customers is lost ÷ active a month before.
  </ChartCard>
)

/** The invoiced totals, as bars. */
export const InvoicedChart = ({ months, currency }: ChartProps<InvoicedMonth>) => (
  <ChartCard
    title="Invoiced, with tax"
    rule="10-invoiced"
    months={months}
    currency={currency}
    kind="bars"
    series={[
      {
        ...seriesOf(months, 'invoiced', 'Invoiced'),
        hue: hues.blue,
        linkOfMonth: invoicesOfMonth(currency),
      },
    ]}
  >
    The sum of the totals of all invoices created in the month. Credits count with their sign, and tax is
    included.
  </ChartCard>
)
