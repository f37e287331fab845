import { closest, distance } from 'fastest-levenshtein'

const MOST_SHOWN = 100

/** A client's text as an error shows it: quoted, and cut where it is long. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** "; did you mean x?" for a name that is not one of `known`, or the names there are when none is near (R2). */
export const suggestion = (unknown: string, known: readonly string[]): string => {
  if (known.length === 0) return ''
  const nearest = closest(unknown.slice(0, MOST_SHOWN), known as string[])
  const near = distance(unknown.slice(0, MOST_SHOWN), nearest) <= Math.max(2, nearest.length / 2)
  return near ? `; did you mean ${nearest}?` : `; known are: ${known.join(', ')}`
}
