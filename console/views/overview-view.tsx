import type { Overview } from '../copy/overview.ts'
import { type Address, linkTo } from '../frame/address.ts'
import { CustomersChart, InvoicedChart, MovementsChart, RecurringChart } from '../parts/charts.tsx'
import { allCustomers, Ranking } from '../parts/rankings.tsx'
import { inAll, Tiles } from '../parts/tiles.tsx'
import { changeWords, counted, monthText } from '../text/format.ts'
import { FiguresView } from './figures-view.tsx'

const ThisMonth = ({ thisMonth, currency, invoiced }: Overview) => {
  const month = invoiced.at(-1)!.month
  return (
    <section class="card">
      <h2>{`${monthText(month)} so far`}</h2>
      <ul class="happened">
        {thisMonth.changes.map(({ kind, customers }) => (
          <li key={kind}>
            <a href={linkTo(['customers'], { currency, moved: kind, month: String(month) })}>
              {`${counted(customers, 'customer')} ${changeWords(kind, true)}`}
            </a>
          </li>
        ))}
        <li>
          <a href={linkTo(['invoices'], { currency, kind: 'credits', within: 'month' })}>
            {counted(thisMonth.credits, 'credit')}
          </a>
        </li>
        <li>
          <a href={linkTo(['invoices'], { within: 'week' })}>All invoices of this week</a>
        </li>
      </ul>
    </section>
  )
}

const Boards = (overview: Overview) => {
  const { currency, currencies, recurring, movements, invoiced, counts } = overview
  return (
    <div class="boards">
      {recurring && <RecurringChart {...recurring} currency={currency} />}
      <Ranking about="Revenue by plan" name="plans" overview={overview}>
        The sum of amount − discount of all lines, without tax, by the product whose price a line names, in
        the months that are shown.
      </Ranking>
      {movements && <MovementsChart months={movements} currency={currency} />}
      <Ranking
        about="Who pays most"
        name="customers"
        overview={overview}
        link={(key) => linkTo(['customers', key])}
        all={allCustomers(currency)}
      >
        The sum of the totals of all invoices of a customer in the months that are shown.
      </Ranking>
      <CustomersChart months={counts} title={`Customers${inAll(currencies)}`} />
      <ThisMonth {...overview} />
      <InvoicedChart months={invoiced} currency={currency} />
      <Ranking about="What discounts cost" name="discounts" overview={overview}>
        The sum of the discounts of all lines, by the discounts that their invoice names, in the months that
        are shown. Several discounts of one invoice count together, as lines do not say which one took what.
      </Ranking>
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
