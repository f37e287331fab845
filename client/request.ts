/** The validation of arguments. A programming error is a TypeError, not a failed call. */

/** Returns the text of a value for an error. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  return Array.isArray(value) ? 'an array' : String(value)
}

/** Returns the error of an invalid argument, with its name, what it must be, and its value. */
export const argumentError = (expected: string, name: string, value: unknown): TypeError =>
  new TypeError(`${name} must be ${expected} (got ${textOf(value)})`)

/** Returns an id encoded for a URL. Throws TypeError with `name` for a value that cannot be an id. */
export const encodedId = (id: unknown, name: string): string => {
  // A URL loses empty and dot segments, so the request would reach another operation.
  const isText = typeof id === 'string' && !/^\.{0,2}$|\p{Cs}/u.test(id)
  if (!isText && !Number.isSafeInteger(id)) throw argumentError('text or a safe integer', name, id)
  return encodeURIComponent(id as string | number)
}

/** The parameters that count as absent if their value is empty. All other parameters are filters. */
const OPTIONAL_PARAMETERS = ['limit', 'cursor', 'include']

/** Returns the query of a URL. Throws TypeError for an empty filter, since the list would not be filtered. */
export const queryFrom = (parameters: object): string => {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(parameters)) {
    const text = String(value ?? '')
    if (text) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    else if (!OPTIONAL_PARAMETERS.includes(name)) throw argumentError('an id', name, value)
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Returns the kind of a value, such as `[object Map]`. */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value)

const KINDS_IN_JSON = ['[object Object]', '[object Array]', '[object String]', '[object Boolean]']

/** Returns whether JSON leaves a value out, or changes it to null or an empty object. `sent` is the result of its `toJSON`. */
const isLost = (value: unknown, sent: unknown, inArray: boolean): boolean => {
  if (sent === undefined && inArray) return true
  // An absent property and null are sent as they are, but not an invalid Date, whose `toJSON` returns null.
  if (sent === undefined || sent === null) return sent !== value
  const kind = kindOf(sent)
  if (kind === '[object Number]') return !Number.isFinite(Number(sent))
  return !KINDS_IN_JSON.includes(kind)
}

/**
 * Returns the body of a request as JSON, with the properties in `before` first. Throws TypeError with the path of a value that
 * JSON cannot express. An undefined property counts as absent.
 */
export const jsonFrom = (body: unknown, before: object = {}): string => {
  if (kindOf(body) !== '[object Object]') throw argumentError('an object', 'body', body)
  const paths = new Map<unknown, string>()
  const checkedValue = function (this: Record<string, unknown>, key: string, sent: unknown) {
    const parent = paths.get(this)
    const path = parent ? `${parent}.${key}` : key
    const value = this[key]
    if (isLost(value, sent, Array.isArray(this))) throw argumentError('a JSON value', path, value)
    paths.set(sent, path)
    return sent
  }
  return JSON.stringify({ ...before, ...(body as object) }, checkedValue)
}

/** Returns a base URL without slashes at its end. Throws TypeError unless it is an absolute http or https URL. */
export const baseUrlFrom = (text: string): string => {
  if (/^https?:\/\/[^\s?#@]+$/i.test(text)) return text.replace(/\/+$/, '')
  throw argumentError('an http(s) URL', 'baseUrl', text)
}
