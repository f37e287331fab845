import { sum } from 'd3-array'
import { type MovementKind, NO_SEGMENT } from '../../client/analytics/index.ts'
import type { Overview, PlanRevenue } from '../figures/overview.ts'
import { linkTo } from '../frame/address.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import type { Colour, PlotSeries } from '../plot/plot-data.ts'
import { Key } from '../plot/read-out.tsx'
import { numberColumn, Table } from '../tables/table.tsx'
import type { CsvTable } from '../text/csv.ts'
import { monthText } from '../text/dates.ts'
import {
  beginning,
  changeFrom,
  changeText,
  counted,
  money,
  monthsText,
  NO_PLAN_NAME,
  number,
  plainName,
  signedMoney,
} from '../text/format.ts'
import {
  customersOfSegment,
  customersWhoChanged,
  invoicesOfMonth,
  movementsOfMonth,
  renewalsOfMonth,
} from './chart-links.ts'
import { type ChartData, seriesOf } from './chart-panel.tsx'

/** The charts of the overview, as data. A chart that the figures do not have is undefined. */

/** The colours of plans. With more, they would be hard to tell apart, so the plot shows the other plans as one series. */
const PLAN_COLOURS = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5'] as const
const OTHERS_COLOUR = 'series-others'

const planLabel = ({ name }: PlanRevenue): string => name ?? NO_PLAN_NAME

const hasRevenue = ({ values }: PlanRevenue): boolean => values.some((value) => value !== 0)

const sumsByMonth = (plans: readonly PlanRevenue[]): number[] =>
  plans[0]!.values.map((_, index) => sum(plans, ({ values }) => values[index]))

/** The colours of the plans with a series of their own: the first ones, and always the customers without a value. */
const coloursOf = (plans: readonly PlanRevenue[]): ReadonlyMap<PlanRevenue, Colour> => {
  const plotted = plans.filter(hasRevenue)
  const withoutValue = plotted.filter(({ key }) => key === NO_SEGMENT)
  const withValue = plotted.filter(({ key }) => key !== NO_SEGMENT)
  const first = [...withValue.slice(0, PLAN_COLOURS.length - withoutValue.length), ...withoutValue]
  return new Map(first.map((plan, index) => [plan, PLAN_COLOURS[index]!]))
}

const planSeries = (plans: readonly PlanRevenue[], plural: string): PlotSeries[] => {
  const colours = coloursOf(plans)
  const series = [...colours].map(([plan, colour]) => ({ ...plan, label: planLabel(plan), colour }))
  const others = plans.filter((plan) => !colours.has(plan) && hasRevenue(plan))
  if (others.length === 0) return series
  // Without their number, since the revenue of some can be 0 in a month.
  const label = `Other ${plural}`
  return [...series, { key: 'others', label, colour: OTHERS_COLOUR, values: sumsByMonth(others) }]
}

const csvOfPlans = (title: string, { currency, by, recurring }: Overview): CsvTable => ({
  columns: [by ?? 'Plan', 'Currency', 'Start', 'Now', 'Change', title],
  rows: (recurring?.plans ?? []).map((plan) => {
    const now = plan.values.at(-1)!
    const amounts = [plan.start, now, now - plan.start, plan.billed]
    return [planLabel(plan), currency, ...amounts.map((amount) => ({ amount, currency }))]
  }),
})

interface LegendProps {
  readonly overview: Overview
  readonly monthIndex: number
}

const PlansLegend = ({ overview, monthIndex }: LegendProps) => {
  const { currency, by, range } = overview
  const { months, plans } = overview.recurring!
  const colours = coloursOf(plans)
  const all: PlanRevenue = {
    key: '',
    name: by ? 'All' : 'All plans',
    values: months.map(({ total }) => total),
    start: sum(plans, ({ start }) => start),
    billed: sum(plans, ({ billed }) => billed),
  }
  const isCurrent = monthIndex === months.length - 1
  const amount = numberColumn<PlanRevenue>((value) => money(value, currency))
  return (
    <Table
      label={`Recurring revenue by ${by ?? 'plan'}, growth and billed`}
      kind="dense legend"
      rows={[...plans, all]}
      classOf={(plan) => (plan === all ? 'sums' : '')}
      hrefOf={(plan) => (by && plan !== all ? customersOfSegment(currency, by, plan.key) : undefined)}
      columns={[
        {
          key: 'plan',
          title: `${by ? plainName(by) : 'Plan'}, net`,
          cell: (plan) => (
            <>
              {plan !== all && <Key colour={colours.get(plan) ?? OTHERS_COLOUR} />}
              <bdi>{beginning(planLabel(plan), 40)}</bdi>
            </>
          ),
        },
        amount({
          key: 'month',
          title: isCurrent ? 'Now' : monthText(months[monthIndex]!.month),
          value: ({ values }) => values[monthIndex]!,
        }),
        amount({ key: 'start', title: 'Start', phone: 'wide', value: ({ start }) => start }),
        {
          key: 'growth',
          title: monthsText(range),
          isNumber: true,
          cell: ({ start, values }) => {
            const now = values.at(-1)!
            const growth = changeFrom(start, now)
            return growth && <span class={now > start ? 'good' : ''}>{growth}</span>
          },
        },
        amount({ key: 'billed', title: 'Billed', phone: 'wide', value: ({ billed }) => billed }),
      ]}
    />
  )
}

export const recurringChart = (overview: Overview): ChartData | undefined => {
  const { currency, by, recurring, range } = overview
  if (!recurring) return undefined
  const { months, plans } = recurring
  const billedTitle = `Billed by ${by ?? 'plan'}, net, ${monthsText(range)}`
  return {
    title: `Recurring revenue by ${by ?? 'plan'}`,
    note: 'net, end of month; the current month is hatched',
    rule: '5-when-a-line-counts',
    months,
    currency,
    kind: 'areas',
    height: 230,
    series: [
      seriesOf(months, 'total', by ? 'All' : 'All plans'),
      ...plans.filter(hasRevenue).map((plan) => ({ ...plan, label: planLabel(plan) })),
    ],
    plotted: planSeries(plans, by ? 'values' : 'plans'),
    legend: (monthIndex) => <PlansLegend overview={overview} monthIndex={monthIndex} />,
    actions: (
      <CsvButton title={billedTitle} content={() => csvOfPlans(billedTitle, overview)}>
        {`CSV by ${by ?? 'plan'}`}
      </CsvButton>
    ),
    explanation: `All recurring lines whose billed period includes the end of the month, or now: amount − discount, without tax, divided by the number of months in their interval (a day is 12/365.25 months, a week seven times that). ${
      by
        ? `A line belongs to the value of “${by}” that its customer has now.`
        : 'A plan is a product: a line belongs to the product of its price. A customer who changes the plan is a decrease of one plan and an increase of another.'
    } Start is the end of the month before those that are shown. Billed is the sum of amount − discount of all lines of these months.`,
  }
}

export const movementColours: Readonly<Record<MovementKind, Colour>> = {
  new: 'new',
  reactivation: 'reactivated',
  expansion: 'expansion',
  contraction: 'contraction',
  churn: 'lost',
}

interface MovementRow {
  readonly kind?: MovementKind
  readonly values: readonly number[]
  readonly customers: readonly number[]
}

const MovementsLegend = ({ overview, monthIndex }: LegendProps) => {
  const { currency, movements, movementsByKind, thisMonth, invoiced } = overview
  const rows: readonly MovementRow[] = movementsByKind!
  const sumOf = (numbers: readonly (readonly number[])[]) =>
    movements!.map((_, index) => sum(numbers, (values) => values[index]))
  const all: MovementRow = {
    values: sumOf(rows.map(({ values }) => values)),
    customers: sumOf(rows.map(({ customers }) => customers)),
  }
  const { month } = movements![monthIndex]!
  const isCurrent = monthIndex === movements!.length - 1
  const change = numberColumn<MovementRow>((value) => (value ? signedMoney(value, currency) : null))
  return (
    <div>
      <Table
        label="Movements of the month"
        kind="dense legend"
        rows={[...rows, all]}
        classOf={(row) => (row === all ? 'sums' : '')}
        hrefOf={({ kind }) => movementsOfMonth(currency, kind)(month)}
        columns={[
          {
            key: 'kind',
            title: `${monthText(month)}${isCurrent ? ' so far' : ''}`,
            cell: ({ kind }) =>
              kind ? (
                <>
                  <Key colour={movementColours[kind]} />
                  {changeText(kind, isCurrent)}
                </>
              ) : (
                'Net change'
              ),
          },
          numberColumn<MovementRow>(number)({
            key: 'customers',
            title: 'Customers',
            value: ({ customers }) => customers[monthIndex]!,
          }),
          change({ key: 'change', title: 'Change, net', value: ({ values }) => values[monthIndex]! }),
          change({
            key: 'before',
            title: monthText(month - 1),
            phone: 'wide',
            value: ({ values }) => values[monthIndex - 1] ?? 0,
          }),
        ]}
      />
      <p class="news">
        <a href={linkTo(['invoices'], { currency, kind: 'credits', within: invoiced.at(-1)!.name })}>
          {`${counted(thisMonth.credits, 'credit note')} this month`}
        </a>
        {thisMonth.credits > 0 && <span>{money(thisMonth.credited, currency)}</span>}
        <a href={linkTo(['invoices'], { currency, within: 'week' })}>Invoices of this week</a>
      </p>
    </div>
  )
}

export const movementsChart = (overview: Overview): ChartData | undefined => {
  const { currency, movements, movementsByKind } = overview
  if (!movements || !movementsByKind) return undefined
  return {
    title: 'Movements',
    note: 'change of recurring revenue, net, by month',
    rule: '7-movements',
    months: movements,
    currency,
    kind: 'bars',
    height: 230,
    series: [
      seriesOf(movements, 'start', 'Start'),
      ...movementsByKind.map(({ kind, values }) => ({
        key: kind,
        label: changeText(kind),
        colour: movementColours[kind],
        values,
        linkOfMonth: movementsOfMonth(currency, kind),
      })),
      seriesOf(movements, 'end', 'End'),
    ],
    legend: (monthIndex) => <MovementsLegend overview={overview} monthIndex={monthIndex} />,
    explanation:
      'The change of each customer’s recurring revenue from the end of one month to the end of the next: start + new + reactivated + expansion + contraction + lost = end. Contraction and lost are below 0. A customer whose renewal is more than three days late counts as lost, until the renewal is recorded. A month is final from the fourth day after it if changes are invoiced at once. If prorations come with the next invoice, which is Stripe’s default, the month changes until then. A later credit for the month also changes it.',
  }
}

export const renewalsChart = ({ renewals: months, currency, recurring }: Overview): ChartData | undefined =>
  recurring && {
    title: 'What renews',
    note: 'expected, net',
    months,
    currency,
    kind: 'bars',
    isForecast: true,
    series: [
      {
        ...seriesOf(months, 'amount', 'Expected'),
        colour: 'series-1',
        linkOfMonth: renewalsOfMonth(currency),
      },
      { ...seriesOf(months, 'invoices', 'Invoices'), isCount: true },
    ],
    explanation:
      'Each active subscription is expected to be invoiced again at the end of each billed period, for what it was billed, with the discounts that still hold: a monthly plan in each month, a yearly plan once a year. New customers, lost customers and changes of plans are not predicted.',
    rule: '19-expected-renewals',
  }

export const customersChart = ({ customersByMonth: months, currencies }: Overview): ChartData => ({
  title: 'Customers',
  note: `new, reactivated and lost${currencies.length > 1 ? ', all currencies' : ''}`,
  rule: '6-who-is-active',
  months,
  kind: 'bars',
  series: [
    seriesOf(months, 'active', 'Active'),
    { ...seriesOf(months, 'new', 'New'), colour: 'new', linkOfMonth: customersWhoChanged('new') },
    {
      ...seriesOf(months, 'reactivated', 'Reactivated'),
      colour: 'reactivated',
      linkOfMonth: customersWhoChanged('reactivated'),
    },
    {
      ...seriesOf(months, 'lost', 'Lost'),
      colour: 'lost',
      isNegated: true,
      linkOfMonth: customersWhoChanged('lost'),
    },
  ],
  explanation:
    'Active: the billed period of a recurring line of the customer includes the end of the month, or now, or ended less than three days before, as a renewal may be late. New: active for the first time. Reactivated: active again. Lost: active a month before, and no longer, which includes customers whose renewal is more than three days late, until it is recorded. So active = active a month before + new + reactivated − lost. The share of lost customers is lost ÷ active a month before.',
})

export const invoicedChart = ({ invoiced: months, currency }: Overview): ChartData => ({
  title: 'Invoiced',
  note: 'with tax',
  rule: '10-invoiced',
  months,
  currency,
  kind: 'bars',
  series: [
    {
      ...seriesOf(months, 'invoiced', 'Invoiced'),
      colour: 'series-1',
      linkOfMonth: invoicesOfMonth(currency),
    },
  ],
  explanation:
    'The sum of the totals of all invoices created in the month. Credits count with their sign, and tax is included.',
})
