/** Returns the edit distance of two texts: letters added, removed or changed, or two neighbours swapped. */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [[...Array(b.length + 1).keys()]]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? 1 : Infinity
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + changed,
        at(i - 2, j - 2) + swapped,
      )
    }
  }
  return at(a.length, b.length)
}

const MAX_STEPS = 3
const SHORTEST_WORD = 3

/** Normalises a name, so that `customerId` equals `customer_id`. */
const plain = (name: string): string => name.toLowerCase().replace(/[\W_]/g, '')

/**
 * Returns the known name most similar to `unknown`: at an edit distance of at most one for every three letters, or a name that
 * begins with it as a word (`percent_off` for `percent`). Undefined if there is none.
 */
export const closestName = (unknown: string, known: readonly string[]): string | undefined => {
  const name = plain(unknown)
  let best: string | undefined
  let least = MAX_STEPS + 1
  for (const candidate of known) {
    const other = plain(candidate)
    // Far longer or shorter names need not be compared letter by letter.
    if (Math.abs(name.length - other.length) >= least) continue
    const steps = distance(name, other)
    if (steps >= least || steps > Math.min(name.length, other.length) / 3) continue
    best = candidate
    least = steps
  }
  const word = `${unknown.toLowerCase()}_`
  return best ?? known.find((candidate) => word.length > SHORTEST_WORD && candidate.startsWith(word))
}

/** Returns "; did you mean x?" for an unknown name, or the list of known names if none is similar. */
export const suggestion = (unknown: string, known: readonly string[]): string => {
  if (known.length === 0) return ''
  const near = closestName(unknown, known)
  return near ? `; did you mean ${near}?` : `; known are: ${known.join(', ')}`
}
