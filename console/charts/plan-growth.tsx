import type { PlanGrowth } from '../../client/analytics/index.ts'
import type { Overview } from '../figures/overview.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import { Table } from '../tables/table.tsx'
import { csv } from '../text/csv.ts'
import { beginning, changeFrom, money, NO_PLAN_NAME } from '../text/format.ts'
import { Formula } from './formula.tsx'
import { titleWithMonths } from './title-with-months.ts'

interface PlanGrowthTableProps {
  readonly overview: Overview
  readonly growth: readonly PlanGrowth[]
}

const nameOf = ({ name }: PlanGrowth): string => name ?? NO_PLAN_NAME

/** The recurring revenue of each plan before the months that are shown and now, largest growth first. */
export const PlanGrowthTable = ({ overview, growth }: PlanGrowthTableProps) => {
  const { currency } = overview
  const title = titleWithMonths('Growth by plan, net', overview.range)
  const csvOfGrowth = () =>
    csv(
      ['Plan', 'Currency', 'Start', 'Now', 'Change'],
      growth.map((plan) => [
        nameOf(plan),
        currency,
        ...[plan.start, plan.end, plan.end - plan.start].map((amount) => ({ amount, currency })),
      ]),
    )
  return (
    <section class="card full-width">
      <header>
        <h2>{title}</h2>
        <CsvButton title={title} content={csvOfGrowth} />
      </header>
      <Table
        label={title}
        columns={['Plan', 'Start', 'Now', 'Change', 'In percent']}
        isStackedOnPhone
        rows={growth.map((plan) => [
          <bdi key={plan.key}>{beginning(nameOf(plan), 60)}</bdi>,
          money(plan.start, currency),
          money(plan.end, currency),
          money(plan.end - plan.start, currency),
          changeFrom(plan.start, plan.end) ?? '–',
        ])}
      />
      <Formula about={title} rule="5-when-a-line-counts">
        The recurring revenue of each plan now, less that at the start of the first month that is shown. A
        customer who changes the plan is a decrease of one plan and an increase of another.
      </Formula>
    </section>
  )
}
