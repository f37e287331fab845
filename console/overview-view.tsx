import { type Address, linkTo } from './address.ts'
import { CustomersChart, InvoicedChart, MovementsChart, RecurringChart } from './charts.tsx'
import { Chips } from './chips.tsx'
import { useAnswer, useCopy } from './copied.tsx'
import type { Overview } from './copy/overview.ts'
import { CopyStatus } from './copy-status.tsx'
import { FirstDay } from './first-day.tsx'
import { Heading } from './heading.tsx'
import { allCustomers, Ranking } from './rankings.tsx'
import { Problem } from './requests.tsx'
import { counted, monthText, number } from './text/format.ts'
import { changeWords } from './text/movements.ts'
import { Tiles } from './tiles.tsx'
import './overview.css'

type Query = Address['query']

const ranges: Readonly<Record<string, string>> = { '12': '12 months', '24': '24 months', all: 'All' }

/** The choices of a currency and of the months, both in the address. */
const Choices = ({ currencies, currency, range, query }: Overview & { query: Query }) => (
  <div class="chips">
    {currencies.length > 1 && (
      <Chips
        label="Currency"
        choices={currencies.map((text) => ({
          text,
          link: linkTo([], { ...query, currency: text }),
          chosen: text === currency,
        }))}
      />
    )}
    <Chips
      label="Months"
      choices={Object.entries(ranges).map(([months, text]) => ({
        text,
        link: linkTo([], { ...query, months }),
        chosen: months === String(range ?? 'all'),
      }))}
    />
  </div>
)

/** What changed in the current month, each with a link to a list. */
const ThisMonth = ({ thisMonth, currency, invoiced }: Overview) => {
  const month = invoiced.months.at(-1)!
  return (
    <section class="card">
      <h2>{`${monthText(month)} so far`}</h2>
      <ul class="happened">
        {thisMonth.changes.map(({ name, customers }) => (
          <li key={name}>
            <a href={linkTo(['customers'], { currency, moved: name, month: String(month) })}>
              {`${counted(customers, 'customer')} ${changeWords(name, true)}`}
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

/** What the figures are counted from and what they cannot see. */
const Covered = ({ coverage }: Overview) => {
  const notes: readonly (readonly [number, string])[] = [
    [coverage.invoicesWithoutRecurringLine, 'invoices have no recurring line and count only as invoiced'],
    [coverage.unequalTotals, 'invoices have lines that do not add up to the total'],
    [coverage.unassignedLines, 'one-time lines may be the unused part of a plan, but name none'],
    [coverage.inclusiveEnds, 'periods end just before the next begins, so their end may be inclusive'],
    [coverage.emptyPeriods, 'recurring lines have a period without length and count nowhere'],
  ]
  const present = notes.filter(([count]) => count > 0)
  return (
    <p class="formula">
      {`Counted from ${counted(coverage.invoices, 'invoice')}. `}
      {present.length > 0 &&
        `What cannot be seen: ${present.map(([count, text]) => `${number(count)} ${text}`).join('; ')}. `}
      {!coverage.complete && 'No invoice is newer than three days, so the latest month is not complete. '}
      Dates are in UTC. Amounts of different currencies are never added.
    </p>
  )
}

const Boards = (overview: Overview) => {
  const { currency, currencies, recurring, movements, invoiced, counts } = overview
  const range = `${overview.range ?? 'all'} months`
  return (
    <div class="boards">
      {recurring && <RecurringChart chart={recurring} />}
      <Ranking about="Revenue by plan" range={range} currency={currency} ranked={overview.plans}>
        The sum of amount − discount of all lines, without tax, by the product whose price a line names, in
        the months that are shown.
      </Ranking>
      {movements && <MovementsChart chart={movements} />}
      <Ranking
        about="Who pays most"
        range={range}
        currency={currency}
        ranked={overview.customers}
        link={(key) => linkTo(['customers', key])}
        all={allCustomers(currency)}
      >
        The sum of the totals of all invoices of a customer in the months that are shown.
      </Ranking>
      <CustomersChart chart={counts} title={`Customers${currencies.length > 1 ? ', all currencies' : ''}`} />
      <ThisMonth {...overview} />
      <InvoicedChart chart={invoiced} />
      <Ranking about="What discounts cost" range={range} currency={currency} ranked={overview.discounts}>
        The sum of the discounts of all lines, by the discounts that their invoice names, in the months that
        are shown. Several discounts of one invoice count together, as lines do not say which one took what.
      </Ranking>
    </div>
  )
}

/** The overview: the main figures, charts, rankings, and what changed this month. */
export const OverviewView = ({ query }: { readonly query: Query }) => {
  const { extent } = useCopy()
  const months = query.months === 'all' ? undefined : Number(query.months ?? '12') || 12
  const { answer, pending, error } = useAnswer('overview', { currency: query.currency, months })
  const isComplete = (extent?.asOf ?? 0) > 0
  return (
    <main>
      <header class="title">
        <Heading name="Overview" />
        {isComplete && answer && <Choices {...answer} query={query} />}
      </header>
      <CopyStatus />
      {error !== undefined && <Problem error={error} />}
      {isComplete && extent!.invoices === 0 && <FirstDay />}
      {isComplete && answer && (
        <div aria-busy={pending}>
          <Tiles {...answer} />
          <Boards {...answer} />
          <Covered {...answer} />
        </div>
      )}
    </main>
  )
}
