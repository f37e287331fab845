import {
  type CalendarMonth,
  type CustomersMonth,
  type InvoicedMonth,
  type MovementsMonth,
  monthName,
} from '../../client/analytics/index.ts'
import type { PlanRevenue, RecurringOverview } from '../figures/overview.ts'
import { linkTo } from '../frame/address.ts'
import { ChartCard, seriesOf } from './chart-card.tsx'
import type { Drawn } from './plot.tsx'

const HUES = [212, 152, 28, 280, 350, 190, 60]
/** More plans could not be told apart by colour: the others are drawn as one. */
const MAX_PLANS = 6

/** Returns a function that returns the link to the invoices of a month. */
export const invoicesIn = (currency: string) => (month: number) =>
  linkTo(['invoices'], { currency, within: monthName(month) })

/** Returns a function that returns the link to the customers who changed in a month, by the kind of change. */
const customersWho =
  (kind: string, currency = '') =>
  (month: number) =>
    linkTo(['customers'], { currency, moved: kind, month: monthName(month) })

const planLabel = ({ name }: PlanRevenue): string => name ?? 'No plan named'

/** Returns the greatest plans or segments, and all others as one, which are called `plural`. */
const drawnPlans = (plans: readonly PlanRevenue[], plural: string): Drawn[] => {
  const some = plans.length > MAX_PLANS ? plans.slice(0, MAX_PLANS - 1) : plans
  const others = plans.slice(some.length)
  const drawn = some.map((plan, index) => ({ ...plan, name: planLabel(plan), hue: HUES[index]! }))
  if (others.length === 0) return drawn
  const sumAt = (index: number): number => others.reduce((sum, { values }) => sum + values[index]!, 0)
  const values = others[0]!.values.map((_, index) => sumAt(index))
  const name = `${others.length} other ${plural}`
  return [...drawn, { key: 'others', name, hue: HUES[MAX_PLANS]!, values }]
}

interface ChartProps<Record extends CalendarMonth> {
  readonly months: readonly Record[]
  readonly currency: string
}

interface RecurringChartProps extends RecurringOverview {
  readonly currency: string
  /** The key of the customers' metadata by which the revenue is divided; by default it is divided by plan. */
  readonly by: string | undefined
}

export const RecurringChart = ({ months, plans, currency, by }: RecurringChartProps) => (
  <ChartCard
    title={`Recurring revenue by ${by ?? 'plan'}, net`}
    months={months}
    currency={currency}
    kind="areas"
    series={[
      seriesOf(months, 'total', by ? 'All' : 'All plans'),
      ...plans.map((plan) => ({ ...plan, name: planLabel(plan) })),
    ]}
    drawn={drawnPlans(plans, by ? 'values' : 'plans')}
    rule="5-when-a-line-counts"
  >
    All recurring lines that are paid for at the end of the month, or now: amount − discount, without tax,
    divided by the months that their interval lasts (a day is 12/365.25 months, a week seven of them).{' '}
    {by
      ? `A line belongs to the value of “${by}” that its customer has now.`
      : 'A plan is a product: a line belongs to that whose price it names.'}
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
      { ...seriesOf(months, 'new', 'New'), hue: 152, linkIn: customersWho('began', currency) },
      {
        ...seriesOf(months, 'reactivation', 'Reactivation'),
        hue: 190,
        linkIn: customersWho('reactivation', currency),
      },
      {
        ...seriesOf(months, 'expansion', 'Expansion'),
        hue: 212,
        linkIn: customersWho('expansion', currency),
      },
      {
        ...seriesOf(months, 'contraction', 'Contraction'),
        hue: 28,
        linkIn: customersWho('contraction', currency),
      },
      {
        ...seriesOf(months, 'churn', 'Churn'),
        hue: 350,
        // A renewal of the running month may still be recorded.
        soFar: 'Churn or not yet renewed',
        linkIn: customersWho('churn', currency),
      },
      seriesOf(months, 'end', 'End'),
    ]}
  >
    The change of each customer’s recurring revenue from the end of one month to the end of the next: start +
    new + reactivation + expansion + contraction + churn = end. Contraction and churn are below 0. In the
    running month, churn is what was lost or is not yet renewed. A month is final from the fourth day after
    it, where changes are invoiced at once. Where prorations come with the next invoice, which is Stripe’s
    default, it changes until then, and a credit for a month that is over changes it whenever it comes.
  </ChartCard>
)

interface CustomersChartProps {
  readonly months: readonly CustomersMonth[]
  readonly title: string
}

/** The invoices that are expected, by month. */
export const RenewalsChart = ({
  months,
  currency,
}: ChartProps<CalendarMonth & { amount: number; invoices: number }>) => (
  <ChartCard
    title="Expected renewals, net"
    months={months}
    currency={currency}
    kind="bars"
    isAhead
    series={[
      {
        ...seriesOf(months, 'amount', 'Expected'),
        hue: 190,
        linkIn: (month) => linkTo(['subscriptions'], { currency, renews: monthName(month) }),
      },
      { ...seriesOf(months, 'invoices', 'Invoices'), isCount: true },
    ]}
  >
    Each active subscription is expected to be invoiced again at the end of each paid period, for each plan at
    what it is worth now: a monthly plan in each month, a yearly one in its month. Whoever leaves, joins or
    changes makes a difference.
  </ChartCard>
)

/** How many customers came and went, as bars above and below 0. */
export const CustomersChart = ({ months, title }: CustomersChartProps) => (
  <ChartCard
    title={title}
    rule="6-who-is-active"
    months={months}
    kind="bars"
    series={[
      seriesOf(months, 'active', 'Active'),
      { ...seriesOf(months, 'new', 'New'), hue: 152, linkIn: customersWho('new') },
      { ...seriesOf(months, 'reactivated', 'Reactivated'), hue: 190, linkIn: customersWho('reactivated') },
      {
        ...seriesOf(months, 'lost', 'Lost'),
        hue: 350,
        isBelow: true,
        soFar: 'Lost or not yet renewed',
        linkIn: customersWho('lost'),
      },
    ]}
  >
    Active: something recurring is paid for at the end of the month, or now; for three days after its period,
    as a renewal may not be recorded yet. New: active for the first time. Reactivated: active again. Lost:
    active a month before, and no longer; in the running month, lost or not yet renewed. So active = active a
    month before + new + reactivated − lost. The share that was lost is lost ÷ active a month before.
  </ChartCard>
)

export const InvoicedChart = ({ months, currency }: ChartProps<InvoicedMonth>) => (
  <ChartCard
    title="Invoiced, with tax"
    rule="10-invoiced"
    months={months}
    currency={currency}
    kind="bars"
    series={[{ ...seriesOf(months, 'invoiced', 'Invoiced'), hue: 212, linkIn: invoicesIn(currency) }]}
  >
    The sum of the totals of all invoices created in the month. Credits count with their sign, and tax is
    included.
  </ChartCard>
)
