const MAX_QUOTED = 100

/** Returns whether a text is longer than an error detail shows. */
export const isTruncated = (text: string): boolean => text.length > MAX_QUOTED

/** Truncates a client's text for an error detail, never within a character. */
export const truncated = (text: string): string =>
  isTruncated(text) ? `${text.slice(0, MAX_QUOTED).replace(/[\uD800-\uDBFF]$/, '')}…` : text

/** Formats a client's value for an error detail: text quoted and truncated, lists and objects by their kind only. */
export const quoted = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length} item${value.length === 1 ? '' : 's'}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(typeof value === 'string' ? truncated(value) : value)
}
