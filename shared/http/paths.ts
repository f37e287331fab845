import { shown } from './shown.ts'

/** As many names of a path as an error shows; deeper ones are cut off. */
export const MOST_NAMES = 12

const unescaped = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** The names in a JSON pointer: `/a/b/2` is a, b and 2. */
export const namesIn = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

const segment = (name: string): string => {
  if (/^\d{1,9}$/.test(name)) return `[${name}]`
  return /^[A-Za-z_]\w{0,99}$/.test(name) ? `.${name}` : `[${shown(name)}]`
}

/** A place in a body as an error names it: `a.b[2]`, with quotes around names that are not plain. */
export const pathOf = (names: readonly string[]): string =>
  names.slice(0, MOST_NAMES).map(segment).join('').replace(/^\./, '') + (names.length > MOST_NAMES ? '…' : '')
