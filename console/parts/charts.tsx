import type { ComponentChildren } from 'preact'
import type {
  CalendarMonth,
  CustomersMonth,
  InvoicedMonth,
  MovementsMonth,
} from '../../client/analytics/index.ts'
import type { PlanRevenue, RecurringOverview } from '../copy/overview.ts'
import { linkTo } from '../frame/address.ts'
import { csv } from '../text/csv.ts'
import { beginning, money } from '../text/format.ts'
import { Disclosure } from './disclosure.tsx'
import { CsvButton } from './download.tsx'
import { type Drawn, Plot, type PlotProps } from './plot.tsx'
import { Table } from './records.tsx'

const HUES = [212, 152, 28, 280, 350, 190, 60]
/** More plans could not be told apart by colour: the others are drawn as one. */
const MAX_PLANS = 6

/** A column of the figures of a chart, with a value for each month. */
export interface Series {
  readonly key: string
  /** Its label. */
  readonly name: string
  readonly values: readonly number[]
  /** Its colour in the plot. Without one, it is only in the table. */
  readonly hue?: number
  /** Whether it is drawn below 0. */
  readonly isBelow?: boolean
  /** Its label in the running month, if that differs. */
  readonly soFar?: string
  /** Returns the link of a month's value. */
  readonly linkIn?: (month: number) => string
}

/** Returns a series of a field that each month has. */
export const seriesOf = <Field extends string>(
  months: readonly Readonly<Record<Field, number>>[],
  field: Field,
  name: string,
): Series => ({ key: field, name, values: months.map((month) => month[field]) })

/** Returns a function that returns the link to the invoices of a month. */
export const invoicesIn = (currency: string) => (month: number) =>
  linkTo(['invoices'], { currency, within: String(month) })

/** Returns a function that returns the link to the customers who changed in a month, by the kind of change. */
const customersWho = (kind: string, currency?: string) => (month: number) =>
  linkTo(['customers'], { currency, moved: kind, month: String(month) })

interface ChartCardProps {
  readonly title: string
  readonly months: readonly CalendarMonth[]
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly kind: PlotProps['kind']
  readonly series: readonly Series[]
  /** What the plot shows; by default, the series that have a hue. */
  readonly drawn?: readonly Drawn[]
  /** Whether the months are those to come, the first of which is running. */
  readonly isAhead?: boolean
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

const csvOfChart = ({ months, series, currency }: ChartCardProps): string =>
  csv(
    ['Month', 'Currency', ...series.map(({ name }) => name)],
    months.map((month, index) => [
      month.name,
      currency,
      ...series.map(({ values }) => (currency ? { amount: values[index]!, currency } : values[index]!)),
    ]),
  )

interface FiguresProps extends ChartCardProps {
  readonly running: PlotProps['running']
}

/** The figures of a chart, the running month first. */
const Figures = ({ title, months, series, currency, isOpen = false, running }: FiguresProps) => {
  const cell = ({ values, linkIn }: Series, index: number) => {
    const value = values[index]!
    const text = money(value, currency)
    return value !== 0 && linkIn ? <a href={linkIn(months[index]!.month)}>{text}</a> : text
  }
  const rows = months.map(({ name }, index) => [
    `${name}${index === running.index ? running.part : ''}`,
    ...series.map((column) => cell(column, index)),
  ])
  const columns = ['Month', ...series.map(({ name }) => beginning(name, 60))]
  return (
    <Disclosure about={title} summary="Figures" isOpen={isOpen}>
      <Table
        label={`${title}, figures`}
        columns={columns}
        rows={running.index === 0 ? rows : rows.toReversed()}
      />
    </Disclosure>
  )
}

/** Returns the series that have a hue, as they are drawn. */
const drawnOf = (series: readonly Series[]): Drawn[] =>
  series.flatMap(({ hue, isBelow, ...one }) => {
    if (hue === undefined) return []
    const values = isBelow ? one.values.map((value) => 0 - value) : one.values
    return [{ ...one, hue, values }]
  })

/** A chart with its plot, its figures as a table and as CSV, and how they are counted. */
export const ChartCard = (props: ChartCardProps) => {
  const { title, months, currency, kind, series, drawn = drawnOf(series), isAhead, children } = props
  const running = isAhead ? { index: 0, part: ' from now on' } : { index: months.length - 1, part: ' so far' }
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        <CsvButton name={title} text={() => csvOfChart(props)} />
      </header>
      <Plot
        kind={kind}
        months={months.map(({ month }) => month)}
        drawn={drawn}
        currency={currency}
        running={running}
      />
      <div class="folded">
        <Figures {...props} running={running} />
        <Disclosure about={title} summary="How this is counted">
          <p class="formula">{children}</p>
        </Disclosure>
      </div>
    </section>
  )
}

const planLabel = ({ name }: PlanRevenue): string => name ?? 'No plan named'

/** Returns the greatest plans, and all others as one. */
const drawnPlans = (plans: readonly PlanRevenue[]): Drawn[] => {
  const some = plans.length > MAX_PLANS ? plans.slice(0, MAX_PLANS - 1) : plans
  const others = plans.slice(some.length)
  const drawn = some.map((plan, index) => ({ ...plan, name: planLabel(plan), hue: HUES[index]! }))
  if (others.length === 0) return drawn
  const sumAt = (index: number): number => others.reduce((sum, { values }) => sum + values[index]!, 0)
  const values = others[0]!.values.map((_, index) => sumAt(index))
  return [...drawn, { key: 'others', name: `${others.length} other plans`, hue: HUES[MAX_PLANS]!, values }]
}

interface ChartProps<Record extends CalendarMonth> {
  readonly months: readonly Record[]
  readonly currency: string
}

export const RecurringChart = ({
  months,
  plans,
  currency,
}: RecurringOverview & { readonly currency: string }) => (
  <ChartCard
    title="Recurring revenue by plan"
    months={months}
    currency={currency}
    kind="areas"
    series={[
      seriesOf(months, 'total', 'All plans'),
      ...plans.map((plan) => ({ ...plan, name: planLabel(plan) })),
    ]}
    drawn={drawnPlans(plans)}
  >
    All recurring lines that are paid for at the end of the month, or now: amount − discount, without tax,
    divided by the months that their interval lasts (a day is 12/365.25 months, a week seven of them). A plan
    is a product: a line belongs to that whose price it names.
  </ChartCard>
)

/** The movements of recurring revenue, as bars above and below 0. */
export const MovementsChart = ({ months, currency }: ChartProps<MovementsMonth>) => (
  <ChartCard
    title="Movements of recurring revenue"
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
    running month, churn is what was lost or is not yet renewed.
  </ChartCard>
)

interface CustomersChartProps {
  readonly months: readonly CustomersMonth[]
  readonly title: string
}

/** How many customers came and went, as bars above and below 0. */
export const CustomersChart = ({ months, title }: CustomersChartProps) => (
  <ChartCard
    title={title}
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
    title="Invoiced"
    months={months}
    currency={currency}
    kind="bars"
    series={[{ ...seriesOf(months, 'invoiced', 'Invoiced'), hue: 212, linkIn: invoicesIn(currency) }]}
  >
    The sum of the totals of all invoices created in the month. Credits count with their sign, and tax is
    included.
  </ChartCard>
)
