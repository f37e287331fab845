import type { Overview } from '../figures/overview.ts'
import type { RankingName } from '../figures/ranking.ts'
import { linkTo } from '../frame/address.ts'
import { useCopy } from '../frame/copied.tsx'
import { CsvButton } from '../parts/download.tsx'
import { beginning, money, percent } from '../text/format.ts'
import { Formula } from './formula.tsx'

interface RankingProps {
  readonly about: string
  readonly name: RankingName
  readonly overview: Overview
  readonly link?: (key: string) => string
  readonly all?: string
  /** The heading of the rule in the documentation of the figures. */
  readonly rule: string
  readonly children: string
}

/** The greatest amounts in one currency, each with a bar below. */
export const Ranking = ({ about, name: ranking, overview, link, all, rule, children }: RankingProps) => {
  const { ask } = useCopy()
  const { currency, range: months } = overview
  const { rows, count, share } = overview[ranking]
  const title = `${about}, ${months ?? 'all'} months`
  const more = count - rows.length
  const greatest = rows[0]?.amount ?? 0
  const text = () => ask('ranking', { name: ranking, title, currency, months })
  return (
    <section class="card ranking">
      <header>
        <h2>{title}</h2>
        {count > 0 && <CsvButton name={title} text={text} />}
      </header>
      <ol>
        {rows.map(({ key, name, amount }) => (
          <li key={key}>
            {link ? (
              <a href={link(key)}>
                <bdi>{beginning(name, 60)}</bdi>
              </a>
            ) : (
              <bdi>{beginning(name, 60)}</bdi>
            )}
            <span>{money(amount, currency)}</span>
            <meter min={0} max={Math.max(greatest, 1)} value={Math.max(amount, 0)} aria-hidden="true" />
          </li>
        ))}
      </ol>
      {more > 0 && share !== undefined && (
        <p class="quiet">{`These ${rows.length} come to ${percent(share)} of all.`}</p>
      )}
      {count === 0 && <p class="quiet">None.</p>}
      {more > 0 &&
        (all ? <a href={all}>All customers, by what they were ever billed, net</a> : `${more} more`)}
      <Formula about={about} rule={rule}>
        {children}
      </Formula>
    </section>
  )
}

/** Returns the link to the list of customers, by what they were billed. */
export const allCustomers = (currency: string): string => linkTo(['customers'], { currency, sort: '-billed' })
