import { quoted } from './quoted.ts'

/** The maximum number of names in a path of an error. */
export const MAX_NAMES = 12

const unescaped = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** Splits a JSON pointer: `/a/b/2` gives a, b and 2. */
export const namesIn = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

const segment = (name: string): string => {
  if (/^\d{1,9}$/.test(name)) return `[${name}]`
  return /^[A-Za-z_]\w{0,99}$/.test(name) ? `.${name}` : `[${quoted(name)}]`
}

/** Formats a path in a body for an error: `a.b[2]`, with quotes around unusual names. */
export const pathOf = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMES).map(segment).join('').replace(/^\./, '') + (names.length > MAX_NAMES ? '…' : '')
