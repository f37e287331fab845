import { containing, fold } from '../text/fold.ts'
import type { Books } from './books.ts'
import type { Customer } from './entities.ts'

const MOST = 8

/** Returns the customers whose name, e-mail address or ids contain every word of a text, best first, at most eight. */
export const searchIn = (books: Books, typed: string) => {
  const text = fold(typed.trim())
  if (text === '') return []
  const matches = containing(typed)
  const rank = ({ name, email, external_id, id }: Customer, found: string): number => {
    if ([id, external_id, email, name].some((each) => fold(each ?? '') === text)) return 0
    if (found.startsWith(text)) return 1
    return found.includes(` ${text}`) ? 2 : 3
  }
  return books
    .searchTexts()
    .filter((each) => matches(each.text))
    .map(({ customer, text: found }) => ({ customer, rank: rank(customer, found) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ customer: { id, email, external_id } }) => ({ id, name: books.labelOf(id), email, external_id }))
}

export type Found = ReturnType<typeof searchIn>[number]
