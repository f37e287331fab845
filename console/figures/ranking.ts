import type { Ranking } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { csv } from '../text/csv.ts'

export type RankingName = 'customers' | 'plans' | 'discounts'

/** What a ranking is asked for: a currency, and how many months, by default all. */
interface RankingQuery {
  readonly name: RankingName
  readonly currency: string
  readonly months?: number | undefined
}

/** How many rows of a ranking are shown. */
const SHOWN = 10

const rowsOf = (snapshot: Snapshot, { name, currency, months }: RankingQuery): Ranking['rows'] => {
  const { calendar, now } = snapshot
  const since = months ? calendar.startOf(calendar.monthOf(now) - months + 1) : Number.NEGATIVE_INFINITY
  const rankings = snapshot.rankingsSince(since)[name]
  return rankings.find((ranking) => ranking.currency === currency)?.rows ?? []
}

/** What rows without a name are called. */
const unnamed: Readonly<Record<RankingName, string>> = {
  customers: '',
  plans: 'No plan named',
  discounts: 'No discount named',
}

const named = (snapshot: Snapshot, { name: ranking }: RankingQuery, rows: Ranking['rows']) =>
  rows.map(({ key, name, amount }) => ({
    key,
    name: ranking === 'customers' ? snapshot.customerLabel(key) : (name ?? unnamed[ranking]),
    amount,
  }))

const sumOf = (rows: Ranking['rows']): number => rows.reduce((sum, { amount }) => sum + amount, 0)

/** Returns the top rows of a ranking, the number of all rows, and the share of the sum that the top rows have. */
export const rankingOf = (snapshot: Snapshot, query: RankingQuery) => {
  const rows = rowsOf(snapshot, query)
  const top = rows.slice(0, SHOWN)
  const sum = sumOf(rows)
  return {
    count: rows.length,
    rows: named(snapshot, query, top),
    share: sum > 0 ? sumOf(top) / sum : undefined,
  }
}

/** The query of a ranking's CSV file. */
export interface RankingCsvQuery extends RankingQuery {
  /** The title of the first column. */
  readonly title: string
}

/** Returns all rows of a ranking as CSV. */
export const csvOfRanking = (snapshot: Snapshot, query: RankingCsvQuery): string =>
  csv(
    [query.title, 'Id', 'Currency', 'Amount'],
    named(snapshot, query, rowsOf(snapshot, query)).map(({ key, name, amount }) => [
      name,
      key,
      query.currency,
      { amount, currency: query.currency },
    ]),
  )
