import { customersByBilled, customersWhoChanged } from '../../charts/chart-links.ts'
import { Formula } from '../../charts/formula.tsx'
import { MainFigures, MainFiguresPlaceholder } from '../../charts/main-figures.tsx'
import {
  CustomersChart,
  InvoicedChart,
  MovementsChart,
  RecurringChart,
  RenewalsChart,
} from '../../charts/overview-charts.tsx'
import { PlanGrowthTable } from '../../charts/plan-growth.tsx'
import { Ranking } from '../../charts/ranking.tsx'
import { SegmentBilled, SegmentMovements } from '../../charts/segments.tsx'
import type { Overview } from '../../figures/overview.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { monthText } from '../../text/dates.ts'
import { changeText, counted } from '../../text/format.ts'
import { FiguresView, figuresQuery } from './figures-view.tsx'

/** The changes in the current month, each with a link to its list. */
const CurrentMonth = ({ thisMonth, currency, currencies, invoiced }: Overview) => {
  const { month, name } = invoiced.at(-1)!
  const inCurrency = currencies.length > 1 ? `, in ${currency}` : ''
  return (
    <section class="card">
      <h2>{`${monthText(month)} so far${inCurrency}`}</h2>
      <ul class="month-changes">
        {thisMonth.changes.map(({ kind, customers }) => (
          <li key={kind}>
            <a href={customersWhoChanged(kind, currency)(month)}>
              {`${counted(customers, 'customer')} ${changeText(kind, true)}`}
            </a>
          </li>
        ))}
        <li>
          <a href={linkTo(['invoices'], { currency, kind: 'credits', within: name })}>
            {counted(thisMonth.credits, 'credit')}
          </a>
        </li>
        <li>
          <a href={linkTo(['invoices'], { currency, within: 'week' })}>Invoices of this week</a>
        </li>
      </ul>
      <Formula about="This month" rule="7-movements">
        A customer whose renewal is up to three days late is still active. After that, the customer counts as
        left, until the renewal is recorded.
      </Formula>
    </section>
  )
}

/** The recurring revenue and the billed amounts by plan or, if the address asks for it, by segment. */
const PlansOrSegments = (overview: Overview) => {
  const { currency, recurring, by, segments, planGrowth } = overview
  return (
    <>
      {recurring && <RecurringChart {...recurring} currency={currency} by={by} />}
      {segments && by ? (
        <>
          <SegmentBilled by={by} billed={segments.billed} overview={overview} />
          <SegmentMovements by={by} movements={segments.movements} overview={overview} />
        </>
      ) : (
        <>
          <Ranking
            subject="Billed by plan, net"
            name="plans"
            overview={overview}
            rule="1-what-a-line-is-worth"
          >
            The sum of amount − discount of all lines, without tax, by the product of a line’s price, in the
            months that are shown.
          </Ranking>
          {planGrowth && <PlanGrowthTable growth={planGrowth} overview={overview} />}
        </>
      )}
    </>
  )
}

const Boards = (overview: Overview) => {
  const { currency, currencies, recurring, movements, invoiced, customersByMonth, renewals } = overview
  const allCurrencies = currencies.length > 1 ? ', all currencies' : ''
  return (
    <div class="boards">
      <PlansOrSegments {...overview} />
      {movements && <MovementsChart months={movements} currency={currency} />}
      <Ranking
        subject="Who pays most, net"
        name="customers"
        overview={overview}
        linkOfRow={(customerId) => linkTo(['customers', customerId])}
        allCustomersLink={customersByBilled(currency)}
        rule="1-what-a-line-is-worth"
      >
        The sum of amount − discount of all lines of a customer’s invoices, without tax, in the months that
        are shown. Credits count with their sign.
      </Ranking>
      {recurring && <RenewalsChart months={renewals} currency={currency} />}
      <CurrentMonth {...overview} />
      <InvoicedChart months={invoiced} currency={currency} />
      <Ranking
        subject="What discounts cost"
        name="discounts"
        overview={overview}
        rule="1-what-a-line-is-worth"
      >
        The sum of the discounts of all lines, by the discounts that their invoice names, in the months that
        are shown. If an invoice names several discounts, they count together, because its lines do not tell
        them apart.
      </Ranking>
      <CustomersChart months={customersByMonth} title={`Customers${allCurrencies}`} />
    </div>
  )
}

/** The overview: the main figures, charts, rankings, and what changed this month. */
export const OverviewView = ({ query }: { readonly query: Address['query'] }) => {
  const result = useAnswer('overview', figuresQuery(query))
  return (
    <FiguresView
      name="overview"
      query={query}
      result={result}
      placeholder={<MainFiguresPlaceholder />}
      segmentKeys={result.answer?.segmentKeys}
    >
      {(overview) => (
        <>
          <MainFigures {...overview} />
          <Boards {...overview} />
        </>
      )}
    </FiguresView>
  )
}
