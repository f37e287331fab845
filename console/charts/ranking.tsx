import type { Overview } from '../figures/overview.ts'
import type { RankingName } from '../figures/ranking.ts'
import { useCopy } from '../frame/copy-context.tsx'
import { CsvButton } from '../parts/csv-button.tsx'
import { percent } from '../text/format.ts'
import { Formula } from './formula.tsx'
import { RankedAmounts } from './ranked-amounts.tsx'
import { titleWithMonths } from './title-with-months.ts'

interface RankingProps {
  /** The title without the number of months. */
  readonly subject: string
  readonly name: RankingName
  readonly overview: Overview
  /** Returns the link of a row by its key; without it, rows are not links. */
  readonly linkOfRow?: (key: string) => string
  /** The link to the list of all customers, if this is a ranking of customers. */
  readonly allCustomersLink?: string
  /** The anchor of the rule in the documentation of the figures. */
  readonly rule: string
  /** How the amounts are counted. */
  readonly children: string
}

/** The highest amounts of a ranking in one currency. */
export const Ranking = (props: RankingProps) => {
  const { subject, name, overview, linkOfRow, allCustomersLink, rule, children } = props
  const { ask } = useCopy()
  const { currency, range: months } = overview
  const { rows, count, share } = overview.rankings[name]
  const title = titleWithMonths(subject, months)
  const more = count - rows.length
  const rankedAmounts = rows.map((row) => ({
    key: row.key,
    label: row.name,
    amount: row.amount,
    link: linkOfRow?.(row.key),
  }))
  return (
    <section class="card ranking">
      <header>
        <h2>{title}</h2>
        {count > 0 && (
          <CsvButton title={title} content={() => ask('ranking', { name, title, currency, months })} />
        )}
      </header>
      <RankedAmounts rows={rankedAmounts} currency={currency} />
      {more > 0 && share !== undefined && (
        <p class="quiet">{`These ${rows.length} make up ${percent(share)} of the total.`}</p>
      )}
      {count === 0 && <p class="quiet">There are none in these months.</p>}
      {more > 0 &&
        (allCustomersLink ? (
          <a href={allCustomersLink}>All customers, by the net amount billed in all months</a>
        ) : (
          `${more} more`
        ))}
      <Formula about={subject} rule={rule}>
        {children}
      </Formula>
    </section>
  )
}
