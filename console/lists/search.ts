import type { Customer } from '../records/entities.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { fold } from '../text/fold.ts'
import { meaning } from './list-filter.ts'

const MAX_FOUND = 8

/**
 * Returns the customers whose name, email address and own id contain every word of a text, and those whose id begins with it,
 * best first, at most eight, and how many there are.
 */
export const searchIn = (snapshot: Snapshot, typed: string) => {
  const text = fold(typed.trim())
  if (text === '') return { found: [], count: 0 }
  const isMeant = meaning(typed)
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const rank = ({ name, email, external_id, id }: Customer, found: string): number => {
    if ([id, external_id, email, name].some((each) => fold(each ?? '') === text)) return 0
    if (found.startsWith(text)) return 1
    return found.includes(` ${text}`) ? 2 : 3
  }
  const all = snapshot
    .searchTexts()
    .filter(({ customer, text: found }) => isMeant(found, customer.id))
    .map(({ customer, text: found }) => ({ customer, text: found, rank: rank(customer, found) }))
    .sort((a, b) => a.rank - b.rank || collator.compare(a.text, b.text))
  const found = all.slice(0, MAX_FOUND).map(({ customer: { id, email, external_id } }) => ({
    id,
    name: snapshot.customerLabel(id),
    email,
    external_id,
  }))
  return { found, count: all.length }
}

export type Found = ReturnType<typeof searchIn>['found'][number]
