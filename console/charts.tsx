import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Chart } from '../client/analytics/index.ts'
import { linkTo } from './address.ts'
import { CsvButton } from './download.tsx'
import { Fold } from './fold.tsx'
import { type Drawn, Plot } from './plot.tsx'
import { Table } from './records.tsx'
import { csv } from './text/csv.ts'
import { beginning, money } from './text/format.ts'

const HUES = [212, 152, 28, 280, 350, 190, 60]
/** More plans could not be told apart by colour: the others are drawn as one. */
const MAX_PLANS = 6

/** A chart with the table of its figures, and how they are counted. */
interface ChartCardProps {
  readonly title: string
  readonly chart: Chart
  readonly kind: 'areas' | 'bars'
  readonly drawn: readonly Drawn[]
  /** The names of those changes whose figures lead to the customers who made them. */
  readonly moved?: readonly string[]
  /** How the figures are counted. */
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

/** The figures of a chart, the latest month first, which is not over. */
const Figures = ({ title, chart, moved = [] }: Pick<ChartCardProps, 'title' | 'chart' | 'moved'>) => {
  const { months, names, series, currency } = chart
  const cell = (name: string, value: number, index: number) => {
    const text = money(value, currency)
    if (value === 0 || !moved.includes(name)) return text
    const month = String(months[index])
    return <a href={linkTo(['customers'], { currency, moved: name, month })}>{text}</a>
  }
  const rows = names.map((month, index) => [
    `${month}${index === names.length - 1 ? ' so far' : ''}`,
    ...series.map(({ name, values }) => cell(name, values[index]!, index)),
  ])
  const columns = ['Month', ...series.map(({ name }) => beginning(name, 60))]
  return (
    <Fold about={title} summary="Figures">
      <Table label={`${title}, figures`} columns={columns} rows={rows.toReversed()} />
    </Fold>
  )
}

const ChartCard = ({ title, chart, kind, drawn, moved = [], children }: ChartCardProps) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
      <CsvButton name={title} text={() => csvOfChart(chart)} />
    </header>
    <Plot kind={kind} months={chart.months} drawn={drawn} currency={chart.currency} />
    <div class="folded">
      <Figures title={title} chart={chart} moved={moved} />
      <Fold about={title} summary="How this is counted">
        <p class="formula">{children}</p>
      </Fold>
    </div>
  </section>
)

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

/** Recurring revenue, by plan. */
export const RecurringChart = ({ chart }: { readonly chart: Chart }) => {
  const drawn = useMemo(() => plansOf(chart), [chart])
  return (
    <ChartCard title="Recurring revenue by plan" chart={chart} kind="areas" drawn={drawn}>
      All recurring lines that are paid for at the end of the month, or now: amount − discount, without tax,
      divided by the months that their interval lasts (a day is 12/365.25 months, a week seven of them). A
      plan is a product: a line belongs to that whose price it names.
    </ChartCard>
  )
}

const movementHues: Readonly<Record<string, number>> = {
  New: 152,
  Reactivation: 190,
  Expansion: 212,
  Contraction: 28,
  Churn: 350,
}

/** A renewal of the running month may still be recorded. */
const soFar: Readonly<Record<string, Pick<Drawn, 'soFar'>>> = {
  Churn: { soFar: 'Churn or not yet renewed' },
  Lost: { soFar: 'Lost or not yet renewed' },
}

/** The movements of recurring revenue, as bars above and below 0. */
export const MovementsChart = ({ chart }: { readonly chart: Chart }) => {
  const drawn = useMemo(
    () =>
      chart.series.flatMap((series) =>
        series.name in movementHues
          ? [{ ...series, ...soFar[series.name], hue: movementHues[series.name]! }]
          : [],
      ),
    [chart],
  )
  return (
    <ChartCard
      title="Movements of recurring revenue"
      chart={chart}
      kind="bars"
      drawn={drawn}
      moved={['Expansion', 'Contraction']}
    >
      The change of each customer’s recurring revenue from the end of one month to the end of the next: start
      + new + reactivation + expansion + contraction + churn = end. Contraction and churn are below 0. In the
      running month, churn is what was lost or is not yet renewed.
    </ChartCard>
  )
}

const countHues: Readonly<Record<string, number>> = { New: 152, Reactivated: 190, Lost: 350 }

/** How many customers came and went, as bars above and below 0. */
export const CustomersChart = ({ chart, title }: { readonly chart: Chart; readonly title: string }) => {
  const drawn = useMemo(
    () =>
      chart.series.flatMap((series) => {
        const sign = series.name === 'Lost' ? -1 : 1
        const values = series.values.map((value) => sign * value + 0)
        return series.name in countHues
          ? [{ ...series, ...soFar[series.name], values, hue: countHues[series.name]! }]
          : []
      }),
    [chart],
  )
  return (
    <ChartCard title={title} chart={chart} kind="bars" drawn={drawn} moved={Object.keys(countHues)}>
      Active: something recurring is paid for at the end of the month, or now; for three days after its
      period, as a renewal may not be recorded yet. New: active for the first time. Reactivated: active again.
      Lost: active a month before, and no longer; in the running month, lost or not yet renewed. So active =
      active a month before + new + reactivated − lost. The share that was lost is lost ÷ active a month
      before.
    </ChartCard>
  )
}

/** What was invoiced. */
export const InvoicedChart = ({ chart }: { readonly chart: Chart }) => {
  const drawn = useMemo(() => chart.series.map((series) => ({ ...series, hue: HUES[0]! })), [chart])
  return (
    <ChartCard title="Invoiced" chart={chart} kind="bars" drawn={drawn}>
      The sum of the totals of all invoices created in the month. Credits count with their sign, and tax is
      included.
    </ChartCard>
  )
}
