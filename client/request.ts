/** Validates arguments. A programming error is a TypeError, not a failed call. */

const shown = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  return Array.isArray(value) ? 'an array' : String(value)
}

/** Returns the error of an argument, which names what it must be and what it is. */
export const mustBe = (expected: string, name: string, value: unknown): TypeError =>
  new TypeError(`${name} must be ${expected} (got ${shown(value)})`)

/** Returns an id encoded for a URL. Throws TypeError, which contains `name`, for a value that cannot be an id. */
export const encodedId = (id: unknown, name: string): string => {
  // A URL loses empty and dot segments, so the call would reach another operation.
  if (typeof id === 'string' ? /^\.{0,2}$|\p{Cs}/u.test(id) : !Number.isSafeInteger(id))
    throw mustBe('text or a safe integer', name, id)
  return encodeURIComponent(id as string | number)
}

/** Returns the query of a URL. Throws TypeError for an empty filter, since the list would not be filtered. */
export const queryFrom = (parameters: object): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) => {
    const text = String(value ?? '')
    if (text) return `${name}=${encodeURIComponent(text)}`
    if (/^(limit|cursor|include)$/.test(name)) return []
    throw mustBe('an id', name, value)
  })
  return given[0] ? `?${given.join('&')}` : ''
}

/** Returns whether JSON drops a value, or changes it to null or an empty object. `sent` is the result of its `toJSON`. */
const isLost = (value: unknown, sent: unknown, inArray: boolean): boolean => {
  if (sent == null) return sent !== value || (inArray && sent === undefined)
  const tag = {}.toString.call(sent)
  if (/ Number]/.test(tag)) return !Number.isFinite(Number(sent))
  return !/ (Object|Array|String|Boolean)]/.test(tag)
}

/**
 * Returns the body of a request as JSON, with the id if there is one. Throws TypeError, which contains the path, for a value
 * that JSON cannot express. An undefined property counts as absent.
 */
export const jsonFrom = ({ body, ...id }: { readonly id?: unknown; readonly body?: unknown }): string => {
  if ({}.toString.call(body) !== '[object Object]') throw mustBe('an object', 'body', body)
  const paths = new Map<unknown, string>()
  const checked = function (this: Record<string, unknown>, key: string, sent: unknown) {
    const parent = paths.get(this)
    const path = parent ? `${parent}.${key}` : key
    const value = this[key]
    if (isLost(value, sent, Array.isArray(this))) throw mustBe('a JSON value', path, value)
    paths.set(sent, path)
    return sent
  }
  return JSON.stringify('id' in id ? { ...id, ...(body as object) } : body, checked)
}

/** Returns a base URL without slashes at its end. Throws TypeError for anything but an absolute http or https URL. */
export const baseUrlFrom = (text: string): string => {
  if (/^https?:\/\/[^\s?#@]+$/i.test(text)) return text.replace(/\/+$/, '')
  throw mustBe('an http(s) URL', 'baseUrl', text)
}
