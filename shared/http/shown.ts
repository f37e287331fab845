const MOST_SHOWN = 100

/** A client's text cut where it is long, between two characters and not within one. */
export const cut = (text: string): string =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…` : text

/** A client's value as an error shows it: text quoted and cut, of lists and objects no more than what they are. */
export const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(typeof value === 'string' ? cut(value) : value)
}
