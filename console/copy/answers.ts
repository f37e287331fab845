import { financeOf } from '../figures/finance.ts'
import { type CloseCsvQuery, csvOfClose } from '../figures/month-close.ts'
import { overviewOf } from '../figures/overview.ts'
import { csvOfRanking, type RankingCsvQuery } from '../figures/ranking.ts'
import { csvOfStatement, customerOf, type StatementQuery, statementOf } from '../lists/customer.ts'
import { discountOf, discountsOf } from '../lists/discount.ts'
import type { ListQuery } from '../lists/list-query.ts'
import { csvOf, listOf } from '../lists/lists.ts'
import { planInCurrencies, planSubscriptions } from '../lists/plan.ts'
import { productsOf } from '../lists/products.ts'
import { recordsOfId, searchCustomers } from '../lists/search.ts'
import { subscriptionHistoryOf } from '../lists/subscription.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { type CsvForm, type CsvTable, csv } from '../text/csv.ts'

interface InForm {
  readonly form: CsvForm
}

/** A blob reaches the page without being copied, which would block it: the CSV of all invoices is many megabytes. */
const blobOf = (table: CsvTable, form: CsvForm): Blob => new Blob([csv(table, form)])

/** The questions that the copy answers: each function computes the answer to a query from a snapshot. */
const answers = {
  overview: overviewOf,
  finance: financeOf,
  search: searchCustomers,
  recordsOfId,
  customer: customerOf,
  statement: statementOf,
  subscription: subscriptionHistoryOf,
  plan: (snapshot: Snapshot, productId: string) => ({
    currencies: planInCurrencies(snapshot, productId),
    subscriptions: planSubscriptions(snapshot, productId),
  }),
  products: productsOf,
  discount: discountOf,
  discounts: discountsOf,
  list: listOf,
  csv: (snapshot: Snapshot, { form, ...query }: ListQuery & InForm) => blobOf(csvOf(snapshot, query), form),
  closeCsv: (snapshot: Snapshot, { form, ...query }: CloseCsvQuery & InForm) =>
    blobOf(csvOfClose(snapshot, query), form),
  statementCsv: (snapshot: Snapshot, { form, ...query }: StatementQuery & InForm) =>
    blobOf(csvOfStatement(snapshot, query), form),
  ranking: (snapshot: Snapshot, { form, ...query }: RankingCsvQuery & InForm) =>
    blobOf(csvOfRanking(snapshot, query), form),
}

export type Question = keyof typeof answers

export type QueryOf<Name extends Question> = Parameters<(typeof answers)[Name]>[1]

export type Answer<Name extends Question> = ReturnType<(typeof answers)[Name]>

export const answerFrom = <Name extends Question>(
  snapshot: Snapshot,
  question: Name,
  query: QueryOf<Name>,
): Answer<Name> => {
  // TypeScript does not relate the parameters of a function that is looked up by a generic name to that name.
  const answer = answers[question] as (snapshot: Snapshot, query: QueryOf<Name>) => Answer<Name>
  return answer(snapshot, query)
}
