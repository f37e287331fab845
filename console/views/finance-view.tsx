import { ChartCard, seriesOf } from '../charts/chart-card.tsx'
import { invoicesIn } from '../charts/charts.tsx'
import { Cohorts } from '../charts/cohorts.tsx'
import type { Finance } from '../figures/finance.ts'
import { type Address, linkTo } from '../frame/address.ts'
import { Chips } from '../parts/chips.tsx'
import { FiguresView } from './figures-view.tsx'

interface BoardsProps {
  readonly answer: Finance
  readonly query: Address['query']
}

/** Retention by cohort, in percent unless the address says otherwise. */
const Retention = ({ answer: { currency, currencies, customers, recurring }, query }: BoardsProps) => {
  const { cohorts = '', every = '' } = query
  const areQuarters = every === 'quarter'
  const each = areQuarters ? 'quarter' : 'month'
  const isPercent = cohorts !== 'numbers'
  const begun = areQuarters ? ' A quarter begins with the sum of what was new in its months.' : ''
  const average = `Average: of all rows that are old enough to have the ${each}, what they come to together; a greater cohort weighs more.${begun}`
  const joined = (moved: string) => (month: string) =>
    linkTo(['customers'], { currency: moved === 'new' ? '' : currency, moved, month })
  return (
    <>
      <header class="title">
        <h2>Retention by cohort</h2>
        <div class="chips">
          <Chips
            label="Cohorts of"
            choices={{ '': 'Months', quarter: 'Quarters' }}
            chosen={every}
            hrefFor={(chosen) => linkTo(['finance'], { ...query, every: chosen })}
          />
          <Chips
            label="Retention in"
            choices={{ '': 'Percent', numbers: 'Numbers' }}
            chosen={cohorts}
            hrefFor={(chosen) => linkTo(['finance'], { ...query, cohorts: chosen })}
          />
        </div>
      </header>
      <Cohorts
        title={`Customers who stay${currencies.length > 1 ? ', all currencies' : ''}`}
        base="Customers"
        cohorts={customers[`${each}s`]}
        areQuarters={areQuarters}
        isPercent={isPercent}
        linkOf={joined('new')}
      >
        {`The customers who were new in a ${each}, and how many of them are active at the end of the ${each}s after it. The last figure of a row is that of now. ${average}`}
      </Cohorts>
      <Cohorts
        title="Recurring revenue that stays"
        base="New"
        currency={currency}
        cohorts={recurring[`${each}s`]}
        areQuarters={areQuarters}
        isPercent={isPercent}
        linkOf={joined('began')}
      >
        {`The recurring revenue of the customers who were new in this currency in a ${each}, and their recurring revenue at the end of each later ${each}. It exceeds 100 % if the customers who stay add more than was lost. ${average}`}
      </Cohorts>
    </>
  )
}

const Boards = ({ answer, query }: BoardsProps) => {
  const { revenue, schedule, currency } = answer
  return (
    <div class="boards">
      {revenue && (
        <ChartCard
          title="Recognised and deferred revenue, net"
          rule="12-recognised-deferred-and-unbilled"
          months={revenue}
          currency={currency}
          kind="lines"
          series={[
            { ...seriesOf(revenue, 'billed', 'Billed'), linkIn: invoicesIn(currency) },
            { ...seriesOf(revenue, 'recognised', 'Recognised'), hue: 212 },
            { ...seriesOf(revenue, 'deferred', 'Deferred'), hue: 28 },
            { ...seriesOf(revenue, 'unbilled', 'Unbilled'), hue: 280 },
          ]}
          isOpen
        >
          Billed: the lines of the invoices created in the month, amount − discount, without tax. Recognised:
          each line evenly over its own period, a recurring one without a period over its invoice’s, any other
          at once. Deferred, at the end of the month or now: billed, but not recognised yet. Unbilled:
          recognised, but billed later. So all that was billed − all that was recognised = deferred −
          unbilled. This is not advice on any accounting standard.
        </ChartCard>
      )}
      {schedule && (
        <ChartCard
          title="Deferred revenue schedule, net"
          rule="12-recognised-deferred-and-unbilled"
          months={schedule}
          currency={currency}
          kind="bars"
          series={[{ ...seriesOf(schedule, 'recognised', 'Recognised'), hue: 212 }]}
          isAhead
          isOpen
        >
          The revenue that is deferred now, by the month in which it will be recognised. The months add up to
          that amount.
        </ChartCard>
      )}
      <Retention answer={answer} query={query} />
    </div>
  )
}

/** The view of finance: recognised and deferred revenue, and retention by cohort. */
export const FinanceView = ({ query }: Pick<BoardsProps, 'query'>) => (
  <FiguresView question="finance" query={query}>
    {(answer) => <Boards answer={answer} query={query} />}
  </FiguresView>
)
