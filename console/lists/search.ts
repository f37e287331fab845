import type { Customer } from '../records/entities.ts'
import { entityLabel } from '../records/entity-text.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { fold } from '../text/fold.ts'
import { textMatcher } from './list-filter.ts'

const MAX_FOUND = 8

/** The eight best matches and the number of all: customers with every word, or whose id begins with the text. */
export const searchCustomers = (snapshot: Snapshot, typed: string) => {
  const text = fold(typed.trim())
  if (text === '') return { found: [], count: 0 }
  const matches = textMatcher(typed)
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const rankOf = ({ name, email, external_id, id }: Customer, searchText: string): number => {
    if ([id, external_id, email, name].some((value) => fold(value ?? '') === text)) return 0
    if (searchText.startsWith(text)) return 1
    return searchText.includes(` ${text}`) ? 2 : 3
  }
  const matchesByRank = snapshot
    .searchTexts()
    .filter(({ customer, text: searchText }) => matches(searchText, customer.id))
    .map(({ customer, text: searchText }) => ({ customer, searchText, rank: rankOf(customer, searchText) }))
    .sort((a, b) => a.rank - b.rank || collator.compare(a.searchText, b.searchText))
  const found = matchesByRank.slice(0, MAX_FOUND).map(({ customer: { id, email, external_id } }) => ({
    id,
    name: snapshot.customerLabel(id),
    email,
    external_id,
  }))
  return { found, count: matchesByRank.length }
}

export type FoundCustomer = ReturnType<typeof searchCustomers>['found'][number]

export interface RecordOfId {
  readonly list: string
  readonly id: string
  readonly label: string
}

/**
 * The records with an id, the user's own or the service's (`isExact`); without one, those whose id differs only in upper and
 * lower case.
 */
export const recordsOfId = (snapshot: Snapshot, id: string): { isExact: boolean; records: RecordOfId[] } => {
  const exact = snapshot.recordsById((candidate) => candidate === id)
  const lowerCase = id.toLowerCase()
  const found =
    exact.length > 0 ? exact : snapshot.recordsById((candidate) => candidate.toLowerCase() === lowerCase)
  const records = found.map(({ list, entity }) => ({ list, id: entity.id, label: entityLabel(entity) }))
  return { isExact: exact.length > 0, records }
}
