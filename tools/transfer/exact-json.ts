/** A number as it was written, which `JSON.stringify` writes unchanged. */
interface RawJson {
  readonly rawJSON: string
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** What every Node with SQLite has, and TypeScript does not declare yet. */
const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): RawJson
  isRawJSON(value: unknown): value is RawJson
}

/** Returns a number that `JSON.stringify` writes as in `source`. */
export const exactNumber = (source: string): number | RawJson => {
  const value = Number(source)
  return String(value) === source ? value : json.rawJSON(source)
}

/**
 * Parses JSON without changing a number: one that a double would round is kept as it was written, for the service to refuse.
 * Throws SyntaxError for any other text, and RangeError for one that is nested too deeply.
 */
export const parseExactly = (text: string): unknown =>
  json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(source) : value,
  )

/** Returns the value of JSON text as `parseExactly` does; undefined for any other text. */
export const exactJsonIn = (text: string): unknown => {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

/** Returns the number that `exactNumber` has kept as it was written, and any other value unchanged. */
export const plainNumber = (value: unknown): unknown =>
  json.isRawJSON(value) ? Number(value.rawJSON) : value
