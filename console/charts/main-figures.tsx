import type { RenewalsMonth } from '../../client/analytics/index.ts'
import type { Overview } from '../figures/overview.ts'
import { Tile } from '../parts/tile.tsx'
import { monthText } from '../text/dates.ts'
import { changeFrom, counted, money, number, percent } from '../text/format.ts'
import { customersWhoChanged, invoicesOfMonth, renewalsOfMonth } from './chart-links.ts'
import { Formula } from './formula.tsx'
import './main-figures.css'

const MAIN_FIGURES = 6

/** The anchor of the rule of churn and retention in the documentation of the figures. */
const RATES_RULE = '8-rates'

/** Empty places of the main figures, which keep the layout of the page until the figures are computed. */
export const MainFiguresPlaceholder = () => (
  <div class="tiles figures" aria-hidden="true">
    {Array.from({ length: MAIN_FIGURES }, (_, index) => (
      <div key={index} class={`card placeholder ${index === 0 ? 'large' : ''}`}>
        <i />
        <i />
        <i />
      </div>
    ))}
  </div>
)

interface ComparisonProps {
  /** The current and the earlier amount. */
  readonly current: number
  readonly earlier: number | undefined
  readonly currency: string
  /** The time between both, such as "in a year". */
  readonly duration: string
}

/** The change of an amount, with the earlier amount; nothing if there is no earlier amount. */
const Comparison = ({ current, earlier, currency, duration }: ComparisonProps) => {
  if (earlier === undefined) return null
  const change = changeFrom(earlier, current)
  return (
    <>
      <span class="comparison">
        {change ? <b class={current > earlier ? 'good' : ''}>{change}</b> : null}
        {` ${duration} (${money(earlier, currency)})`}
      </span>{' '}
    </>
  )
}

interface RecurringFiguresProps extends Overview {
  readonly figures: NonNullable<Overview['recurringFigures']>
}

const MonthlyRecurringRevenue = ({ currency, figures, renewals }: RecurringFiguresProps) => {
  const { now, monthStart, yearAgo, revenueByMonth, awaitingRenewal } = figures
  return (
    <Tile title="Monthly recurring revenue, net" value={money(now, currency)} values={revenueByMonth} isLarge>
      <Comparison current={now} earlier={monthStart} currency={currency} duration="this month" />
      <Comparison current={now} earlier={yearAgo} currency={currency} duration="in a year" />
      <span class="comparison">{`= ${money(now * 12, currency)} a year`}</span>
      {awaitingRenewal > 0 && (
        <a href={renewalsOfMonth(currency)(renewals[0]!.month)}>
          {`${money(awaitingRenewal, currency)} of it from renewals that are up to 3 days late`}
        </a>
      )}
    </Tile>
  )
}

const NetRetention = ({ currency, figures: { retention, lastMonth } }: RecurringFiguresProps) => {
  const lastMonthRate = lastMonth?.netRetention ?? null
  const lastMonthText =
    lastMonth && lastMonthRate !== null
      ? `In ${monthText(lastMonth.month)} alone: ${percent(lastMonthRate)}`
      : undefined
  const title = 'Net revenue retention, 12 months'
  const explanation = (
    <Formula about={title} rule={RATES_RULE}>
      The recurring revenue now of the customers who had recurring revenue at the end of the month a year ago
      ÷ their recurring revenue at that time. Customers who joined later do not count.
    </Formula>
  )
  if (!retention || retention.netRetention === null)
    return (
      <Tile title={title} value="–" explanation={explanation}>
        No recurring revenue a year ago. {lastMonthText}
      </Tile>
    )
  const { since, start, kept, netRetention } = retention
  return (
    <Tile title={title} value={percent(netRetention)} explanation={explanation}>
      {`Customers of ${monthText(since)}: ${money(start, currency)} then, ${money(kept, currency)} now. `}
      {lastMonthText}
    </Tile>
  )
}

const RevenueChurn = ({ currency, figures }: RecurringFiguresProps) => {
  const { lastMonth, retention, churnRates } = figures
  if (!lastMonth)
    return (
      <Tile title="Revenue churn" value="–">
        No full month yet
      </Tile>
    )
  const { month, grossChurn, churn, contraction, churnedCustomers, contractedCustomers } = lastMonth
  const title = `Revenue churn, ${monthText(month)}`
  const explanation = (
    <Formula about={title} rule={RATES_RULE}>
      Of the month: churn and contraction ÷ the revenue at its start. Over 12 months: what the customers at
      the end of the month a year ago pay less now ÷ what they paid then. Losses of customers who joined later
      do not count, so it is not the sum of the months.
    </Formula>
  )
  return (
    <Tile
      title={title}
      value={grossChurn === null ? '–' : percent(grossChurn)}
      values={churnRates}
      explanation={explanation}
    >
      <a href={customersWhoChanged('churn', currency)(month)}>
        {`${counted(churnedCustomers, 'customer')} left (${money(churn, currency)})`}
      </a>
      {', '}
      <a href={customersWhoChanged('contraction', currency)(month)}>
        {`${number(contractedCustomers)} paying less (${money(contraction, currency)})`}
      </a>
      {retention &&
        retention.grossChurn !== null &&
        `. Of the customers of ${monthText(retention.since)}: ${percent(retention.grossChurn)} until now`}
    </Tile>
  )
}

const ActiveCustomers = ({ currency, currencies, figures }: RecurringFiguresProps) => {
  const { customers, customersInAllCurrencies, averageRevenue, customersByMonth } = figures
  return (
    <Tile title={`Active customers in ${currency}`} value={number(customers)} values={customersByMonth}>
      {averageRevenue !== null && `${money(Math.round(averageRevenue), currency)} each a month`}
      {currencies.length > 1 && ` · ${number(customersInAllCurrencies)} in all currencies`}
    </Tile>
  )
}

const ExpectedRenewals = ({ currency, renewals }: Overview) => {
  const [currentMonth, nextMonth] = renewals as [RenewalsMonth, RenewalsMonth]
  const linkOfMonth = renewalsOfMonth(currency)
  return (
    <Tile title={`Renewals in ${monthText(nextMonth.month)}, net`} value={money(nextMonth.amount, currency)}>
      <a href={linkOfMonth(nextMonth.month)}>{`${counted(nextMonth.invoices, 'invoice')} expected`}</a>
      {', '}
      <a href={linkOfMonth(currentMonth.month)}>{`${number(currentMonth.invoices)} more this month`}</a>
      {currentMonth.late > 0 && ` (${number(currentMonth.late)} late)`}
    </Tile>
  )
}

const Invoiced = ({ invoicedInYear, currency }: Overview) => {
  const values = invoicedInYear.map(({ invoiced }) => invoiced)
  const { month, invoiced } = invoicedInYear.at(-1)!
  const lastMonth = invoicedInYear.at(-2)
  return (
    <Tile
      title={`Invoiced so far in ${monthText(month)}, with tax`}
      value={money(invoiced, currency)}
      values={values}
    >
      <a href={invoicesOfMonth(currency)(month)}>Show invoices</a>
      {lastMonth && `, ${money(lastMonth.invoiced, currency)} in all of ${monthText(lastMonth.month)}`}
    </Tile>
  )
}

/** The main figures, all of one currency. */
export const MainFigures = (overview: Overview) => {
  const { recurringFigures, currency } = overview
  return (
    <div class="tiles figures">
      {recurringFigures ? (
        <>
          <MonthlyRecurringRevenue {...overview} figures={recurringFigures} />
          <NetRetention {...overview} figures={recurringFigures} />
          <RevenueChurn {...overview} figures={recurringFigures} />
          <ActiveCustomers {...overview} figures={recurringFigures} />
          <ExpectedRenewals {...overview} />
        </>
      ) : (
        <Tile title="Monthly recurring revenue, net" value={money(0, currency)}>
          {`No recurring lines in ${currency}`}
        </Tile>
      )}
      <Invoiced {...overview} />
    </div>
  )
}
