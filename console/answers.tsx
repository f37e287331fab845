import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { linkTo } from './address.ts'
import * as analytics from './analytics.ts'
import { beginning, money, number, time } from './format.ts'
import type { Copied } from './local-copy.ts'
import { labelOf, Table } from './records.tsx'
import './answers.css'

const HEIGHT = 260
/** The colours of as many lines as one can tell apart. */
const HUES = [212, 152, 28, 280, 350, 190, 90, 50]
const bars = UPlot.paths.bars!({ size: [0.7, 40] })

interface PlotProps {
  readonly chart: analytics.Chart
  /** All names of lines in the charts of an answer: a name has the same colour in each of them. */
  readonly names: readonly string[]
}

const optionsOf = ({ chart, names }: PlotProps, element: HTMLElement): UPlot.Options => {
  const { currency, months, series } = chart
  const style = getComputedStyle(element)
  const axis = {
    stroke: style.color,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
  }
  const lines = series.slice(0, HUES.length).map(({ name, values }): UPlot.Series => {
    const color = `${HUES[names.indexOf(name) % HUES.length]} 65% 50%`
    return {
      label: name,
      stroke: `hsl(${color})`,
      width: 2,
      points: { show: false },
      // Away from the plot, the legend says the latest month's.
      value: (_, value) => money(value ?? values.at(-1), currency),
      ...(series.length === 1 ? { fill: `hsl(${color} / 0.5)`, paths: bars } : {}),
    }
  })
  const nameOf = (month: number) => (Number.isInteger(month) ? analytics.monthName(month) : '')
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: {
      x: { time: false, range: (_, min, max) => [min - 0.6, max + 0.6] },
      y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.1 } } },
    },
    axes: [
      { ...axis, values: (_, values) => values.map(nameOf), incrs: [1, 3, 6, 12, 24], space: 70 },
      { ...axis, values: (_, values) => values.map((value) => money(Math.round(value), currency)), size: 90 },
    ],
    series: [{ label: 'Month', value: (_, value) => analytics.monthName(value ?? months.at(-1)) }, ...lines],
  }
}

/** Draws a chart; its figures are in a table beside it, for everybody. */
const Plot = ({ chart, names }: PlotProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current!
    const data = [chart.months, ...chart.series.slice(0, HUES.length).map(({ values }) => values)]
    let plot: UPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new UPlot(optionsOf({ chart, names }, element), data as UPlot.AlignedData, element)
    }
    // It draws at once, too.
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', draw)
    return () => {
      resized.disconnect()
      dark.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [chart])
  return <div class="plot" ref={place} aria-hidden="true" />
}

/** A table of one currency or of counts, with a plot if it has a chart. */
interface Figure {
  readonly currency: string | undefined
  readonly columns: readonly string[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  readonly plot?: PlotProps
}

/** Charts with their figures, the latest month first, which is not over. */
const figuresOf = (charts: readonly analytics.Chart[]): Figure[] => {
  const names = [...new Set(charts.flatMap(({ series }) => series.map(({ name }) => name)))]
  return charts.map((chart) => {
    const { currency, months, series } = chart
    const rows = months.map((month, index) => [
      `${analytics.monthName(month)}${index === months.length - 1 ? ' so far' : ''}`,
      ...series.map(({ values }) => money(values[index]!, currency)),
    ])
    const columns = ['Month', ...series.map(({ name }) => name)]
    return { currency, columns, rows: rows.reverse(), plot: { chart, names } }
  })
}

const MOST_ROWS = 100

/** Returns the figure of a ranking. `of` names what is ranked, and `show` renders a key. */
const rankedBy =
  (of: string, show: (key: string) => ComponentChildren) =>
  ({ currency, rows }: analytics.Ranking): Figure => ({
    currency,
    columns: [rows.length > MOST_ROWS ? `${of}, ${MOST_ROWS} of ${number(rows.length)}` : of, 'Amount'],
    rows: rows.slice(0, MOST_ROWS).map(({ key, amount }) => [show(key), money(amount, currency)]),
  })

interface AnswerProps {
  readonly title: string
  readonly figures: readonly Figure[]
  /** How the figures are computed. */
  readonly children: string
}

const Answer = ({ title, figures, children }: AnswerProps) => (
  <section>
    <h2>{title}</h2>
    <p class="formula">{children}</p>
    <div class="figures">
      {figures.map(({ currency, columns, rows, plot }) => (
        <figure key={currency} class={plot ? 'card chart' : 'card'}>
          {currency && <figcaption>{currency}</figcaption>}
          {plot && <Plot {...plot} />}
          <Table label={currency ? `${title}, ${currency}` : title} columns={columns} rows={rows} />
        </figure>
      ))}
    </div>
    {figures.length === 0 && <p class="empty">None.</p>}
  </section>
)

/** The answers to the first questions about a business, each with its formula, and each currency alone. */
export const Answers = ({ invoices, customers, asOf }: Copied) => {
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  const text = (key: string) => <bdi>{beginning(key, 60)}</bdi>
  const customer = (id: string) => (
    <a href={linkTo(['customers', id])}>{text(labelOf(byId.get(id) ?? { id }))}</a>
  )
  return (
    <>
      <p class="formula">
        {`Read ${time(asOf)} UTC. Amounts of different currencies are never added. Months are in UTC; there are at most ${analytics.MOST_MONTHS}, the latest.`}
      </p>
      <Answer title="Invoiced by month" figures={figuresOf(analytics.invoicedByMonth(invoices, asOf))}>
        The sum of the totals of all invoices created in the month. Credits count with their sign.
      </Answer>
      <Answer
        title="Monthly recurring revenue"
        figures={figuresOf(analytics.recurringByMonth(invoices, asOf))}
      >
        All recurring lines whose period contains the last second of the month, or now: amount − discount,
        divided by the months that their interval lasts (a day is 12/365.25 months, a week seven of them),
        each rounded to a minor unit. A plan is a product: a line belongs to that whose price it names.
      </Answer>
      <Answer title="Subscriptions" figures={figuresOf([analytics.subscriptionsByMonth(invoices, asOf)])}>
        Active: one of its recurring lines covers the last second of the month, or now. New: active, and not a
        month before. Lost: active a month before, and no longer. So active = active a month before + new −
        lost.
      </Answer>
      <Answer
        title="Who pays most"
        figures={analytics.invoicedByCustomer(invoices).map(rankedBy('Customer', customer))}
      >
        Of all time: the sum of the totals of all invoices of a customer.
      </Answer>
      <Answer title="Revenue by plan" figures={analytics.billedByPlan(invoices).map(rankedBy('Plan', text))}>
        Of all time: the sum of amount − discount of all lines, by the product whose price a line names.
      </Answer>
      <Answer
        title="What discounts cost"
        figures={analytics.discountedByDiscount(invoices).map(rankedBy('Discount', text))}
      >
        Of all time: the sum of the discounts of all lines, by the discounts that their invoice names. Several
        discounts of one invoice count together, as lines do not say which one took what.
      </Answer>
    </>
  )
}
