import type { ComponentChildren } from 'preact'
import { monthName } from '../../client/analytics/index.ts'
import type { Overview } from '../figures/overview.ts'
import { linkTo } from '../frame/address.ts'
import { changeFrom, counted, money, monthText, number, percent } from '../text/format.ts'

const WIDTH = 260
const HEIGHT = 36

/** A small line of values over time. */
export const Sparkline = ({ values }: { readonly values: readonly (number | null)[] }) => {
  const present = values.filter((value) => value !== null)
  const least = Math.min(0, ...present)
  const span = Math.max(...present) - least || 1
  const x = (index: number) => (index / Math.max(1, present.length - 1)) * WIDTH
  const y = (value: number) => HEIGHT - 3 - ((value - least) / span) * (HEIGHT - 6)
  const points = present.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" class="spark" aria-hidden="true">
      {points.length > 1 ? (
        <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
      ) : (
        present.length > 0 && (
          <path d={`M4 ${HEIGHT / 2}h0`} class="point" vector-effect="non-scaling-stroke" />
        )
      )}
    </svg>
  )
}

interface TileProps {
  readonly title: string
  readonly value: string
  readonly values?: readonly (number | null)[]
  /** Whether it is the first figure, which has more room. */
  readonly isLarge?: boolean
  readonly children: ComponentChildren
}

/** A main figure, and what to compare it with. */
export const Tile = ({ title, value, values, isLarge = false, children }: TileProps) => (
  <section class={`card tile ${isLarge ? 'large' : ''}`}>
    <h2>{title}</h2>
    <p class="big">
      <bdi>{value}</bdi>
    </p>
    <p class="quiet">{children}</p>
    {values && <Sparkline values={values} />}
  </section>
)

const MAIN_FIGURES = 6

/** The places of the main figures, until they are there. */
export const TilePlaces = () => (
  <div class="tiles figures" aria-hidden="true">
    {Array.from({ length: MAIN_FIGURES }, (_, index) => (
      <div key={index} class={`card place ${index === 0 ? 'large' : ''}`}>
        <i />
        <i />
        <i />
      </div>
    ))}
  </div>
)

const changeClass = (change: number): string => (change > 0 ? 'good' : '')

interface ComparisonProps {
  readonly now: number
  readonly then: number | undefined
  readonly currency: string
  /** What passed since, such as "in a year". */
  readonly since: string
}

/** How much an amount has changed since another time, with what it was then. */
const Comparison = ({ now, then, currency, since }: ComparisonProps) => {
  if (then === undefined) return null
  const change = changeFrom(then, now)
  return (
    <>
      <span class="comparison">
        {change ? <b class={changeClass(now - then)}>{change}</b> : null}
        {` ${since} (${money(then, currency)})`}
      </span>{' '}
    </>
  )
}

interface TilesProps extends Overview {
  readonly tiles: NonNullable<Overview['tiles']>
}

const Recurring = ({ currency, tiles: { now, monthStart, yearAgo, recurring } }: TilesProps) => (
  <Tile title="Monthly recurring revenue, net" value={money(now, currency)} values={recurring} isLarge>
    <Comparison now={now} then={monthStart} currency={currency} since="this month" />
    <Comparison now={now} then={yearAgo} currency={currency} since="in a year" />
    <span class="comparison">{`= ${money(now * 12, currency)} a year`}</span>
  </Tile>
)

const NetRetention = ({ currency, tiles: { retention, lastMonth } }: TilesProps) => {
  const monthly = lastMonth?.netRetention ?? undefined
  const inMonth =
    lastMonth && monthly !== undefined ? `${percent(monthly)} in ${monthText(lastMonth.month)}` : undefined
  const ofYear = retention && retention.start > 0 ? retention : undefined
  return (
    <Tile title="Net revenue retention, 12 months" value={ofYear ? percent(ofYear.kept / ofYear.start) : '–'}>
      {ofYear
        ? `Of ${money(ofYear.start, currency)} a year ago, the same customers come to ${money(ofYear.kept, currency)} now. `
        : 'Nobody had recurring revenue a year ago. '}
      {inMonth}
    </Tile>
  )
}

const RevenueChurn = ({ currency, tiles: { lastMonth, retention, churnRates } }: TilesProps) => {
  if (!lastMonth)
    return (
      <Tile title="Revenue churn" value="–">
        No full month yet
      </Tile>
    )
  const { month, grossChurn: rate, churn, contraction, churned, contracted } = lastMonth
  const link = (moved: string) => linkTo(['customers'], { currency, moved, month: monthName(month) })
  return (
    <Tile
      title={`Revenue churn, ${monthText(month)}`}
      value={rate === null ? '–' : percent(rate)}
      values={churnRates}
    >
      <a href={link('churn')}>{`${money(churn, currency)}: ${counted(churned, 'customer')} left`}</a>
      {', '}
      <a href={link('contraction')}>{`${money(contraction, currency)}: ${number(contracted)} paying less`}</a>
      {retention && retention.start > 0 && `, ${percent(retention.lost / retention.start)} in 12 months`}
    </Tile>
  )
}

const Active = (props: TilesProps) => {
  const { currency, currencies, tiles } = props
  const { customers, customersInAll, averageRevenue, customersByMonth } = tiles
  const average = averageRevenue === null ? '' : `${money(Math.round(averageRevenue), currency)} each a month`
  return (
    <Tile title={`Active customers in ${currency}`} value={number(customers)} values={customersByMonth}>
      {average}
      {currencies.length > 1 && ` · ${number(customersInAll)} in all currencies`}
    </Tile>
  )
}

const Renewals = ({ currency, renewals }: Overview) => {
  const [running, next] = renewals
  const link = (month: string) => linkTo(['subscriptions'], { currency, renews: month })
  return (
    <Tile
      title={`Renews in ${monthText(next!.month)}, net`}
      value={money(next!.amount, currency)}
      values={renewals.map(({ amount }) => amount)}
    >
      <a href={link(next!.name)}>{`${counted(next!.invoices, 'invoice')} expected`}</a>
      {', '}
      <a href={link(running!.name)}>{`${number(running!.invoices)} more this month`}</a>
    </Tile>
  )
}

const Invoiced = ({ invoicedInYear, currency }: Overview) => {
  const values = invoicedInYear.map(({ invoiced }) => invoiced)
  const { month, name } = invoicedInYear.at(-1)!
  const before = invoicedInYear.at(-2)
  return (
    <Tile
      title={`Invoiced so far in ${monthText(month)}, with tax`}
      value={money(values.at(-1)!, currency)}
      values={values}
    >
      <a href={linkTo(['invoices'], { currency, within: name })}>Its invoices</a>
      {before && `, ${money(before.invoiced, currency)} in all of ${monthText(before.month)}`}
    </Tile>
  )
}

/** The main figures. All of them are of one currency. */
export const Tiles = (overview: Overview) => {
  const { tiles, currency } = overview
  return (
    <div class="tiles figures">
      {tiles ? (
        <>
          <Recurring {...overview} tiles={tiles} />
          <NetRetention {...overview} tiles={tiles} />
          <RevenueChurn {...overview} tiles={tiles} />
          <Active {...overview} tiles={tiles} />
          <Renewals {...overview} />
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
