import type { ComponentChildren } from 'preact'
import type { Chart } from '../../client/analytics/index.ts'
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

interface ChartCardProps {
  readonly title: string
  readonly chart: Chart
  readonly kind: PlotProps['kind']
  readonly drawn: readonly Drawn[]
  /** Whether the months are those to come, the first of which is running. */
  readonly isAhead?: boolean
  readonly isOpen?: boolean
  /** The names of those changes whose figures lead to the customers who made them. */
  readonly moved?: readonly string[]
  /** The name of the figure that leads to the invoices of its month. */
  readonly billed?: string
  readonly children: ComponentChildren
}

const csvOfChart = ({ currency, names, series }: Chart): string =>
  csv(
    ['Month', 'Currency', ...series.map(({ name }) => name)],
    names.map((name, index) => [
      name,
      currency,
      ...series.map(({ values }) => (currency ? { amount: values[index]!, currency } : values[index]!)),
    ]),
  )

interface FiguresProps extends ChartCardProps {
  readonly running: PlotProps['running']
}

/** The figures of a chart, the running month first. */
const Figures = ({ title, chart, moved = [], billed, isOpen = false, running }: FiguresProps) => {
  const { months, names, series, currency } = chart
  const cell = (name: string, value: number, index: number) => {
    const text = money(value, currency)
    const month = String(months[index])
    const ofMonth = name === billed && linkTo(['invoices'], { currency, within: month })
    const change = currency && name === 'New' ? 'Began' : name
    const to = ofMonth || (moved.includes(name) && linkTo(['customers'], { currency, moved: change, month }))
    return value !== 0 && to ? <a href={to}>{text}</a> : text
  }
  const rows = names.map((month, index) => [
    `${month}${index === running.index ? running.part : ''}`,
    ...series.map(({ name, values }) => cell(name, values[index]!, index)),
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

/** A chart with its plot, its figures as a table and as CSV, and how they are counted. */
export const ChartCard = (props: ChartCardProps) => {
  const { title, chart, kind, drawn, isAhead, children } = props
  const running = isAhead
    ? { index: 0, part: ' from now on' }
    : { index: chart.months.length - 1, part: ' so far' }
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        <CsvButton name={title} text={() => csvOfChart(chart)} />
      </header>
      <Plot kind={kind} months={chart.months} drawn={drawn} currency={chart.currency} running={running} />
      <div class="folded">
        <Figures {...props} running={running} />
        <Disclosure about={title} summary="How this is counted">
          <p class="formula">{children}</p>
        </Disclosure>
      </div>
    </section>
  )
}

/** The greatest plans of a chart of recurring revenue, and all others as one. */
const plansOf = ({ series }: Chart): Drawn[] => {
  const plans = series.slice(1)
  const some = plans.length > MAX_PLANS ? plans.slice(0, MAX_PLANS - 1) : plans
  const others = plans.slice(some.length)
  const drawn = some.map((plan, index) => ({ ...plan, hue: HUES[index]! }))
  if (others.length === 0) return drawn
  const values = others[0]!.values.map((_, index) => others.reduce((sum, of) => sum + of.values[index]!, 0))
  const name = `${others.length} other plans`
  return [...drawn, { key: 'others', name, hue: HUES[MAX_PLANS]!, values }]
}

interface ChartProps {
  readonly chart: Chart
}

export const RecurringChart = ({ chart }: ChartProps) => (
  <ChartCard title="Recurring revenue by plan" chart={chart} kind="areas" drawn={plansOf(chart)}>
    All recurring lines that are paid for at the end of the month, or now: amount − discount, without tax,
    divided by the months that their interval lasts (a day is 12/365.25 months, a week seven of them). A plan
    is a product: a line belongs to that whose price it names.
  </ChartCard>
)

/** A renewal of the running month may still be recorded. */
const soFar: Readonly<Record<string, Pick<Drawn, 'soFar'>>> = {
  Churn: { soFar: 'Churn or not yet renewed' },
  Lost: { soFar: 'Lost or not yet renewed' },
}

/** Returns those series of a chart that have a hue by their name. What was lost is drawn below 0. */
export const drawnOf = ({ series }: Chart, hues: Readonly<Record<string, number>>): Drawn[] =>
  series
    .filter(({ name }) => name in hues)
    .map((each) => {
      const sign = each.name === 'Lost' ? -1 : 1
      const values = each.values.map((value) => sign * value + 0)
      return { ...each, ...soFar[each.name], values, hue: hues[each.name]! }
    })

const movementHues = { New: 152, Reactivation: 190, Expansion: 212, Contraction: 28, Churn: 350 }

/** The movements of recurring revenue, as bars above and below 0. */
export const MovementsChart = ({ chart }: ChartProps) => (
  <ChartCard
    title="Movements of recurring revenue"
    chart={chart}
    kind="bars"
    drawn={drawnOf(chart, movementHues)}
    moved={Object.keys(movementHues)}
  >
    The change of each customer’s recurring revenue from the end of one month to the end of the next: start +
    new + reactivation + expansion + contraction + churn = end. Contraction and churn are below 0. In the
    running month, churn is what was lost or is not yet renewed.
  </ChartCard>
)

const countHues = { New: 152, Reactivated: 190, Lost: 350 }

/** How many customers came and went, as bars above and below 0. */
export const CustomersChart = ({ chart, title }: ChartProps & { readonly title: string }) => (
  <ChartCard
    title={title}
    chart={chart}
    kind="bars"
    drawn={drawnOf(chart, countHues)}
    moved={Object.keys(countHues)}
  >
    Active: something recurring is paid for at the end of the month, or now; for three days after its period,
    as a renewal may not be recorded yet. New: active for the first time. Reactivated: active again. Lost:
    active a month before, and no longer; in the running month, lost or not yet renewed. So active = active a
    month before + new + reactivated − lost. The share that was lost is lost ÷ active a month before.
  </ChartCard>
)

export const InvoicedChart = ({ chart }: ChartProps) => (
  <ChartCard
    title="Invoiced"
    chart={chart}
    kind="bars"
    drawn={drawnOf(chart, { Invoiced: 212 })}
    billed="Invoiced"
  >
    The sum of the totals of all invoices created in the month. Credits count with their sign, and tax is
    included.
  </ChartCard>
)
