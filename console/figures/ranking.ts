import { sum } from 'd3-array'
import type { Ranking } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { type CsvTable, csvTable } from '../text/csv.ts'
import { NO_PLAN_NAME } from '../text/format.ts'
import { firstSecondOf } from './figures-query.ts'

export type RankingName = 'customers' | 'plans' | 'discounts'

interface RankingQuery {
  readonly name: RankingName
  readonly currency: string
  /** The number of months; undefined for all months. */
  readonly months?: number | undefined
}

const TOP_ROWS = 10

const rowsOf = (snapshot: Snapshot, { name, currency, months }: RankingQuery): Ranking['rows'] => {
  const rankings = snapshot.rankingsSince(firstSecondOf(snapshot, months))[name]
  return rankings.find((ranking) => ranking.currency === currency)?.rows ?? []
}

/** The names that are shown for rows without a name. Customers always have a label. */
const namesOfUnnamed: Readonly<Record<RankingName, string>> = {
  customers: '',
  plans: NO_PLAN_NAME,
  discounts: 'No discount named',
}

const namedRows = (snapshot: Snapshot, { name: ranking }: RankingQuery, rows: Ranking['rows']) =>
  rows.map(({ key, name, amount }) => ({
    key,
    name: ranking === 'customers' ? snapshot.customerLabel(key) : (name ?? namesOfUnnamed[ranking]),
    amount,
  }))

export const rankingOf = (snapshot: Snapshot, query: RankingQuery) => {
  const rows = rowsOf(snapshot, query)
  return {
    count: rows.length,
    rows: namedRows(snapshot, query, rows.slice(0, TOP_ROWS)),
    total: sum(rows, ({ amount }) => amount),
  }
}

export interface RankingCsvQuery extends RankingQuery {
  readonly title: string
}

export const csvOfRanking = (snapshot: Snapshot, query: RankingCsvQuery): CsvTable => {
  const { title, currency } = query
  return csvTable(namedRows(snapshot, query, rowsOf(snapshot, query)), {
    [title]: ({ name }) => name,
    Id: ({ key }) => key,
    Currency: () => currency,
    Amount: ({ amount }) => ({ amount, currency }),
  })
}
