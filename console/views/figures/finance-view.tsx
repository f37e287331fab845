import { customersWhoChangedWithin, movementsWithin } from '../../charts/chart-links.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { Cohorts } from '../../charts/cohorts.tsx'
import { deferredScheduleChart, revenueChart } from '../../charts/finance-charts.tsx'
import type { Finance } from '../../figures/finance.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { Chips } from '../../parts/choices.tsx'
import { FiguresView, figuresQuery } from './figures-view.tsx'
import { MonthClose } from './month-close-card.tsx'

interface FinanceProps {
  readonly finance: Finance
  readonly query: Address['query']
}

const CohortChoices = ({ query }: Pick<FinanceProps, 'query'>) => (
  <div class="chips">
    <Chips
      label="Cohorts of"
      choices={{ '': 'Months', quarter: 'Quarters' }}
      chosen={query.every ?? ''}
      hrefFor={(every) => linkTo(['finance'], { ...query, every })}
    />
    <Chips
      label="Retention in"
      choices={{ '': 'Percent', numbers: 'Numbers' }}
      chosen={query.cohorts ?? ''}
      hrefFor={(cohorts) => linkTo(['finance'], { ...query, cohorts })}
    />
  </div>
)

/** Retention by cohort, in percent unless the address asks for numbers. */
const Retention = ({ finance, query }: FinanceProps) => {
  const { currency, currencies, customers, recurring, currentMonth } = finance
  const areQuarters = query.every === 'quarter'
  const isPercent = query.cohorts !== 'numbers'
  const unit = areQuarters ? 'quarter' : 'month'
  const quarterNote = areQuarters ? ' A quarter begins with the sum of its months’ new customers.' : ''
  const averageNote = `Average: the mean of the rows that have a value in the column. Its percentage is the sum of these values ÷ the sum of their rows’ first values, so larger cohorts weigh more.${quarterNote}`
  return (
    <>
      <header class="title">
        <h2>Retention by cohort</h2>
        <CohortChoices query={query} />
      </header>
      <Cohorts
        title={`Customers who stay${currencies.length > 1 ? ', all currencies' : ''}`}
        base="Customers"
        cohorts={areQuarters ? customers.quarters : customers.months}
        areQuarters={areQuarters}
        currentMonth={currentMonth}
        isPercent={isPercent}
        linkOfMonths={customersWhoChangedWithin('new')}
      >
        {`The customers who were new in a ${unit}, and how many of them were active at the end of each later ${unit}. The last value of a row is the current one. ${averageNote}`}
      </Cohorts>
      <Cohorts
        title="Recurring revenue that stays"
        base="New"
        currency={currency}
        cohorts={areQuarters ? recurring.quarters : recurring.months}
        areQuarters={areQuarters}
        currentMonth={currentMonth}
        isPercent={isPercent}
        linkOfMonths={movementsWithin(currency, 'new')}
      >
        {`The recurring revenue of the customers who were new in this currency in a ${unit}, and their recurring revenue at the end of each later ${unit}. It exceeds 100 % if the customers who stay add more than was lost. ${averageNote}`}
      </Cohorts>
    </>
  )
}

export const FinanceView = ({ query }: Pick<FinanceProps, 'query'>) => {
  const closeQuery = { ...figuresQuery(query), close: query.close, recorded: query.recorded }
  const result = useAnswer('finance', closeQuery)
  return (
    <FiguresView name="finance" query={query} result={result}>
      {(finance) => (
        <div class="stack">
          {finance.revenue && <ChartPanel {...revenueChart(finance.revenue, finance.currency)} />}
          {finance.schedule && <ChartPanel {...deferredScheduleChart(finance.schedule, finance.currency)} />}
          <MonthClose finance={finance} query={query} closeQuery={closeQuery} />
          <Retention finance={finance} query={query} />
        </div>
      )}
    </FiguresView>
  )
}
