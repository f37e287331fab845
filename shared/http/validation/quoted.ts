const MAX_CHARACTERS = 100

export const isTruncated = (text: string): boolean => text.length > MAX_CHARACTERS

/** A client's text for an error detail, truncated between characters. */
export const truncated = (text: string): string => {
  if (!isTruncated(text)) return text
  const start = text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
  return `${start}…`
}

/** A client's value for an error detail: text quoted and truncated, lists and objects by their kind only. */
export const quoted = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length} item${value.length === 1 ? '' : 's'}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(typeof value === 'string' ? truncated(value) : value)
}
