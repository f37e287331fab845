/** The steps from one text to the other: add, drop or change a letter, or swap two neighbours. */
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

const MOST_STEPS = 3
const SHORTEST_WORD = 3

/** A name without what people confuse: `customerId` and `customer_id` are one. */
const plain = (name: string): string => name.toLowerCase().replace(/[\W_]/g, '')

/**
 * The known name that `unknown` most probably stands for: one step away for every three letters, or else one that
 * begins with it as a word (`percent` for `percent_off`). Undefined when none is that near.
 */
export const nearest = (unknown: string, known: readonly string[]): string | undefined => {
  const name = plain(unknown)
  let best: string | undefined
  let least = MOST_STEPS + 1
  for (const each of known) {
    const other = plain(each)
    // Far longer or shorter names need not be compared letter by letter.
    if (Math.abs(name.length - other.length) >= least) continue
    const steps = distance(name, other)
    if (steps >= least || steps > Math.min(name.length, other.length) / 3) continue
    best = each
    least = steps
  }
  const word = `${unknown.toLowerCase()}_`
  return best ?? known.find((each) => word.length > SHORTEST_WORD && each.startsWith(word))
}

/** "; did you mean x?" for a name that is not one of `known`, or all of these when none is near (R2). */
export const suggestion = (unknown: string, known: readonly string[]): string => {
  if (known.length === 0) return ''
  const near = nearest(unknown, known)
  return near ? `; did you mean ${near}?` : `; known are: ${known.join(', ')}`
}
