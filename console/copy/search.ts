import { containing, fold } from '../text/fold.ts'
import type { Customer } from './entities.ts'
import type { Snapshot } from './snapshot.ts'

const MAX_FOUND = 8

/** Returns the customers whose name, e-mail address or ids contain every word of a text, best first, at most eight. */
export const searchIn = (snapshot: Snapshot, typed: string) => {
  const text = fold(typed.trim())
  if (text === '') return []
  const matches = containing(typed)
  const rank = ({ name, email, external_id, id }: Customer, found: string): number => {
    if ([id, external_id, email, name].some((each) => fold(each ?? '') === text)) return 0
    if (found.startsWith(text)) return 1
    return found.includes(` ${text}`) ? 2 : 3
  }
  return snapshot
    .searchTexts()
    .filter((each) => matches(each.text))
    .map(({ customer, text: found }) => ({ customer, text: found, rank: rank(customer, found) }))
    .sort((a, b) => a.rank - b.rank || a.text.length - b.text.length || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_FOUND)
    .map(({ customer: { id, email, external_id } }) => ({
      id,
      name: snapshot.labelOf(id),
      email,
      external_id,
    }))
}

export type Found = ReturnType<typeof searchIn>[number]
