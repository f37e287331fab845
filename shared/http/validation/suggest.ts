/** Returns the edit distance of two texts: letters added, removed or changed, or two neighbours swapped. */
const editDistance = (a: string, b: string): number => {
  /** The distance of the first i letters of `a` and the first j letters of `b` is `rows[i][j]`. */
  const rows: number[][] = [[...Array(b.length + 1).keys()]]
  const distance = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? 1 : Infinity
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(
        distance(i - 1, j) + 1,
        distance(i, j - 1) + 1,
        distance(i - 1, j - 1) + changed,
        distance(i - 2, j - 2) + swapped,
      )
    }
  }
  return distance(a.length, b.length)
}

/** The largest edit distance of two similar names. */
const MAX_DISTANCE = 3
/** The minimum length of the first word of a name that stands for the whole name. */
const MIN_WORD_LENGTH = 3

/** Returns a name in lower case without separators, so that `customerId` equals `customer_id`. */
const normalised = (name: string): string => name.toLowerCase().replace(/[\W_]/g, '')

/**
 * Returns the name most similar to an unknown one: at an edit distance of at most one for every three letters, or a name that
 * begins with it as a word (`percent_off` for `percent`). Undefined if no name is similar.
 */
export const closestName = (unknownName: string, names: readonly string[]): string | undefined => {
  const sent = normalised(unknownName)
  let closest: string | undefined
  let leastDistance = MAX_DISTANCE + 1
  for (const name of names) {
    const candidate = normalised(name)
    // Far longer or shorter names need not be compared letter by letter.
    if (Math.abs(sent.length - candidate.length) >= leastDistance) continue
    const distance = editDistance(sent, candidate)
    const maxDistance = Math.min(sent.length, candidate.length) / 3
    if (distance >= leastDistance || distance > maxDistance) continue
    closest = name
    leastDistance = distance
  }
  if (closest !== undefined || unknownName.length < MIN_WORD_LENGTH) return closest
  return names.find((name) => name.startsWith(`${unknownName.toLowerCase()}_`))
}

/** Returns "; did you mean x?" for an unknown name, or the list of all names if none is similar; empty without names. */
export const suggestion = (unknownName: string, names: readonly string[]): string => {
  if (names.length === 0) return ''
  const closest = closestName(unknownName, names)
  return closest ? `; did you mean ${closest}?` : `; use one of: ${names.join(', ')}`
}
