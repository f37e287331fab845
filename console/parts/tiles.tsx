import type { ComponentChildren } from 'preact'
import type { CalendarMonth } from '../../client/analytics/index.ts'
import type { Overview } from '../copy/overview.ts'
import { linkTo } from '../frame/address.ts'
import { changeFrom, counted, money, monthText, number, percent } from '../text/format.ts'

const WIDTH = 260
const HEIGHT = 36

const Sparkline = ({ values }: { readonly values: readonly (number | null)[] }) => {
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
  readonly children: ComponentChildren
}

/** A main figure, and what to compare it with. */
export const Tile = ({ title, value, values, children }: TileProps) => (
  <section class="card tile">
    <h2>{title}</h2>
    <p class="big">{value}</p>
    <p class="quiet">{children}</p>
    {values && <Sparkline values={values} />}
  </section>
)

/** The month before the running one, in short, such as `Oct`. */
const before = (months: readonly CalendarMonth[]): string =>
  monthText(months.at(-1)!.month - 1).split(' ')[0]!

interface ChangeProps {
  readonly now: number
  readonly then: number | undefined
  readonly month: string
  readonly currency: string
}

const Change = ({ now, then, month, currency }: ChangeProps) => {
  if (!then) return <>No revenue at the end of {month}</>
  const change = changeFrom(then, now)
  if (!change) return <>{`${money(then, currency)} at the end of ${month}`}</>
  return (
    <>
      <b class={now > then ? 'good' : ''}>{change}</b> vs. the end of {month}
    </>
  )
}

const Recurring = ({ currency, year }: Overview) => {
  const values = (year.recurring ?? []).map(({ total }) => total)
  return (
    <Tile title="Monthly recurring revenue" value={money(values.at(-1) ?? 0, currency)} values={values}>
      {year.recurring ? (
        <Change
          now={values.at(-1)!}
          then={values.at(-2)}
          month={before(year.recurring)}
          currency={currency}
        />
      ) : (
        `No recurring lines in ${currency}`
      )}
    </Tile>
  )
}

/** Customers are counted in all currencies together. */
export const inAll = (currencies: readonly string[]): string =>
  currencies.length > 1 ? ', all currencies' : ''

const signed = (sign: string, count: number): string => `${count > 0 ? sign : ''}${number(count)}`

const Active = ({ active, currencies }: Overview) => {
  const latest = active.at(-1)!
  const values = active.map((month) => month.active)
  return (
    <Tile
      title={`Active customers${inAll(currencies)}`}
      value={number(latest.active)}
      values={values.slice(-13)}
    >
      {`${signed('+', latest.new + latest.reactivated)} new or back, ${signed('−', latest.lost)} lost or not yet renewed`}
    </Tile>
  )
}

const Lost = ({ active, churn, currencies }: Overview) => {
  const rate = churn.at(-2)
  const last = active.at(-2)
  const start = active.at(-3)?.active
  const month = active.at(-1)!.month - 1
  return (
    <Tile
      title={`Lost, ${monthText(month)}${inAll(currencies)}`}
      value={rate === null || rate === undefined ? '–' : percent(rate)}
      values={churn.slice(0, -1)}
    >
      {start ? (
        <a href={linkTo(['customers'], { moved: 'lost', month: String(month) })}>
          {`${number(last!.lost)} of ${counted(start, 'customer')}`}
        </a>
      ) : (
        'No full month with customers yet'
      )}
    </Tile>
  )
}

const Invoiced = ({ year, currency }: Overview) => {
  const values = year.invoiced.map(({ invoiced }) => invoiced)
  const last = values.at(-2)
  return (
    <Tile
      title={`Invoiced, ${monthText(year.invoiced.at(-1)!.month)}`}
      value={money(values.at(-1)!, currency)}
      values={values}
    >
      {last === undefined ? 'The first month' : `${money(last, currency)} in ${before(year.invoiced)}`}
    </Tile>
  )
}

/** The four main figures. */
export const Tiles = (overview: Overview) => (
  <div class="tiles">
    <Recurring {...overview} />
    <Active {...overview} />
    <Lost {...overview} />
    <Invoiced {...overview} />
  </div>
)
