import { monthName } from '../../client/analytics/index.ts'
import {
  CustomersChart,
  InvoicedChart,
  MovementsChart,
  RecurringChart,
  RenewalsChart,
} from '../charts/charts.tsx'
import { allCustomers, Ranking } from '../charts/rankings.tsx'
import { SegmentBilled, SegmentMovements } from '../charts/segments.tsx'
import { Tiles } from '../charts/tiles.tsx'
import type { Overview } from '../figures/overview.ts'
import { type Address, linkTo } from '../frame/address.ts'
import { changeWords, counted, monthText } from '../text/format.ts'
import { FiguresView } from './figures-view.tsx'

const ThisMonth = ({ thisMonth, currency, currencies, invoiced }: Overview) => {
  const { month, name } = invoiced.at(-1)!
  const inCurrency = currencies.length > 1 ? `, in ${currency}` : ''
  return (
    <section class="card">
      <h2>{`${monthText(month)} so far${inCurrency}`}</h2>
      <ul class="happened">
        {thisMonth.changes.map(({ kind, customers }) => (
          <li key={kind}>
            <a href={linkTo(['customers'], { currency, moved: kind, month: monthName(month) })}>
              {`${counted(customers, 'customer')} ${changeWords(kind, true)}`}
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
    </section>
  )
}

const Boards = (overview: Overview) => {
  const { currency, currencies, recurring, movements, invoiced, counts, renewals, by, segments } = overview
  const inAll = currencies.length > 1 ? ', all currencies' : ''
  return (
    <div class="boards">
      {recurring && <RecurringChart {...recurring} currency={currency} by={by} />}
      {segments && by ? (
        <SegmentBilled by={by} billed={segments.billed} overview={overview} />
      ) : (
        <Ranking about="Billed by plan, net" name="plans" overview={overview} rule="1-what-a-line-is-worth">
          The sum of amount − discount of all lines, without tax, by the product whose price a line names, in
          the months that are shown.
        </Ranking>
      )}
      {segments && by && <SegmentMovements by={by} movements={segments.movements} overview={overview} />}
      {movements && <MovementsChart months={movements} currency={currency} />}
      <Ranking
        about="Who pays most, net"
        name="customers"
        overview={overview}
        link={(key) => linkTo(['customers', key])}
        all={allCustomers(currency)}
        rule="1-what-a-line-is-worth"
      >
        The sum of amount − discount of all lines of a customer’s invoices, without tax, in the months that
        are shown. Credits count with their sign.
      </Ranking>
      {recurring && <RenewalsChart months={renewals} currency={currency} />}
      <ThisMonth {...overview} />
      <InvoicedChart months={invoiced} currency={currency} />
      <Ranking about="What discounts cost" name="discounts" overview={overview} rule="1-what-a-line-is-worth">
        The sum of the discounts of all lines, by the discounts that their invoice names, in the months that
        are shown. Several discounts of one invoice count together, as lines do not say which one took what.
      </Ranking>
      <CustomersChart months={counts} title={`Customers${inAll}`} />
    </div>
  )
}

/** The overview: the main figures, charts, rankings, and what changed this month. */
export const OverviewView = ({ query }: { readonly query: Address['query'] }) => (
  <FiguresView question="overview" query={query}>
    {(answer) => (
      <>
        <Tiles {...answer} />
        <Boards {...answer} />
      </>
    )}
  </FiguresView>
)
