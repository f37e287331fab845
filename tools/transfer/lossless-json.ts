/** A number in the digits of its source, which `JSON.stringify` writes unchanged. */
interface RawNumber {
  readonly rawJSON: string
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** JSON with the functions that every Node with SQLite has, and that TypeScript does not declare yet. */
const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

/** If a double would change the digits, returns an object that keeps them. */
export const losslessNumber = (source: string): number | RawNumber => {
  const value = Number(source)
  return String(value) === source ? value : json.rawJSON(source)
}

/** Any value that is not a number is unchanged. */
export const toDouble = (value: unknown): unknown => (json.isRawJSON(value) ? Number(value.rawJSON) : value)

/** Matches any text that may contain a number that a double changes: one with a decimal point, an exponent or over 15 digits, or -0. */
const MAY_CHANGE = /\d\.\d|\d[Ee]|-0(?!\d)|\d{16}/
/** A text of at most this many characters cannot be nested too deeply for JSON.parse. */
const FLAT_LENGTH = 4_000

/**
 * Returns the value of a JSON text, with numbers as `losslessNumber` returns them: a number that a double would round is sent
 * with all its digits, so that the service can refuse it. Returns undefined for a text that is not JSON or is nested too deeply.
 */
export const parseLossless = (text: string): unknown => {
  try {
    // A reviver takes several times as long.
    if (text.length <= FLAT_LENGTH && !MAY_CHANGE.test(text)) return JSON.parse(text)
    return json.parse(text, (_, value, { source }) =>
      typeof value === 'number' && source !== undefined ? losslessNumber(source) : value,
    )
  } catch {
    return undefined
  }
}
