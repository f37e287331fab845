import type { ComponentChildren } from 'preact'
import { linkTo } from './address.ts'
import { type Chart, invoicedByMonth, recurringByMonth, subscriptionsByMonth } from './analytics/charts.ts'
import type { Invoice } from './analytics/invoice.ts'
import { MOST_MONTHS } from './analytics/months.ts'
import { billedByPlan, discountedByDiscount, invoicedByCustomer, type Ranking } from './analytics/rankings.ts'
import type { Entity } from './api.ts'
import { ChartFigure, RankingFigure } from './figures.tsx'
import { beginning } from './format.ts'
import { labelOf } from './value.tsx'

interface AnswerProps {
  readonly title: string
  /** How the figures are computed. */
  readonly formula: string
  readonly children: ComponentChildren
}

const Answer = ({ title, formula, children }: AnswerProps) => (
  <section>
    <h2>{title}</h2>
    <p class="formula">{formula}</p>
    {children}
  </section>
)

interface ChartsProps extends Omit<AnswerProps, 'children'> {
  readonly charts: readonly Chart[]
}

const Charts = ({ charts, ...answer }: ChartsProps) => (
  <Answer {...answer}>
    {charts.map((chart) => (
      <ChartFigure key={chart.currency} title={answer.title} chart={chart} />
    ))}
  </Answer>
)

interface RankingsProps extends Omit<AnswerProps, 'children'> {
  readonly rankings: readonly Ranking[]
  /** What is ranked. */
  readonly of: string
  readonly show?: (key: string) => ComponentChildren
}

const text = (key: string): ComponentChildren => <bdi>{beginning(key, 60)}</bdi>

const Rankings = ({ rankings, of, show = text, ...answer }: RankingsProps) => (
  <Answer {...answer}>
    <div class="rankings">
      {rankings.map((ranking) => (
        <RankingFigure key={ranking.currency} title={answer.title} ranking={ranking} of={of} show={show} />
      ))}
    </div>
    {rankings.length === 0 && <p class="empty">None.</p>}
  </Answer>
)

interface AnswersProps {
  readonly invoices: readonly Invoice[]
  readonly customers: readonly Entity[]
}

/** The answers to the first questions about a business, each with its formula, and each currency alone. */
export const Answers = ({ invoices, customers }: AnswersProps) => {
  const now = Math.floor(Date.now() / 1000)
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  const customer = (id: string) => (
    <a href={linkTo(['customers', id])}>{text(labelOf(byId.get(id) ?? { id }))}</a>
  )
  return (
    <>
      <p class="formula">
        Amounts of different currencies are never added. Months are in UTC, and at most the last {MOST_MONTHS}
        .
      </p>
      <Charts
        title="Invoiced by month"
        formula="The sum of the totals of all invoices that were created in a month. Credits count with their sign."
        charts={invoicedByMonth(invoices, now)}
      />
      <Charts
        title="Monthly recurring revenue"
        formula="All recurring lines whose period contains the last second of the month, or now: amount − discount, divided by the months that their interval lasts (a day is 12/365.25 months, a week seven of them), each rounded to a minor unit. A line belongs to the plan, the product, whose price it names."
        charts={recurringByMonth(invoices, now)}
      />
      <Charts
        title="Subscriptions"
        formula="Active: one of its recurring lines covers the last second of the month, or now. New: active, and not a month before. Lost: active a month before, and not now. So active = active a month before + new − lost."
        charts={[subscriptionsByMonth(invoices, now)]}
      />
      <Rankings
        title="Who pays most"
        formula="The sum of the totals of all invoices of a customer."
        rankings={invoicedByCustomer(invoices)}
        of="Customer"
        show={customer}
      />
      <Rankings
        title="Revenue by plan"
        formula="The sum of amount − discount of all lines, by the product whose price a line names."
        rankings={billedByPlan(invoices)}
        of="Plan"
      />
      <Rankings
        title="What discounts cost"
        formula="The sum of the discounts of all lines, by the discounts that their invoice names. Several discounts of one invoice count together, as lines do not say which one took what."
        rankings={discountedByDiscount(invoices)}
        of="Discount"
      />
    </>
  )
}
