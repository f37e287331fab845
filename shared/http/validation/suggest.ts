import { distance } from 'fastest-levenshtein'

/** Whether two texts have the same letters in another order. */
const haveSameLetters = (a: string, b: string): boolean => [...a].sort().join() === [...b].sort().join()

/** Letters added, removed or changed. Letters in another order (`emial`) are one mistake. */
const editDistance = (a: string, b: string): number =>
  haveSameLetters(a, b) ? Number(a !== b) : distance(a, b)

/** The largest edit distance of two similar names. */
const MAX_DISTANCE = 3
/** The minimum length of the first word of a name that stands for the whole name. */
const MIN_WORD_LENGTH = 3

/** A name in lower case without separators, so that `customerId` equals `customer_id`. */
const normalised = (name: string): string => name.toLowerCase().replace(/[\W_]/g, '')

/**
 * The name most similar to an unknown one: at an edit distance of at most one for every three letters, or a
 * name that begins with it as a word (`percent_off` for `percent`). Undefined if no name is similar.
 */
export const closestName = (unknownName: string, names: readonly string[]): string | undefined => {
  const unknown = normalised(unknownName)
  let closest: string | undefined
  let leastDistance = MAX_DISTANCE + 1
  for (const name of names) {
    const candidate = normalised(name)
    // Far longer or shorter names need not be compared letter by letter.
    if (Math.abs(unknown.length - candidate.length) >= leastDistance) continue
    const distance = editDistance(unknown, candidate)
    const maxDistance = Math.min(unknown.length, candidate.length) / 3
    if (distance >= leastDistance || distance > maxDistance) continue
    closest = name
    leastDistance = distance
  }
  if (closest !== undefined || unknownName.length < MIN_WORD_LENGTH) return closest
  return names.find((name) => name.startsWith(`${unknownName.toLowerCase()}_`))
}

/** "; did you mean x?", or the list of all names if none is similar; empty without names. */
export const suggestion = (unknownName: string, names: readonly string[]): string => {
  if (names.length === 0) return ''
  const closest = closestName(unknownName, names)
  return closest ? `; did you mean ${closest}?` : `; use one of: ${names.join(', ')}`
}
