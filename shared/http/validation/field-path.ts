import { quoted } from './quoted.ts'

/** The maximum number of names in the path of an error. */
export const MAX_PATH_NAMES = 12

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** The names in a JSON pointer: a, b and 2 for `/a/b/2`. */
export const pointerSegments = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

const formatName = (name: string): string => {
  if (/^\d{1,9}$/.test(name)) return `[${name}]`
  return /^[A-Za-z_]\w{0,99}$/.test(name) ? `.${name}` : `[${quoted(name)}]`
}

/** The path of a field in a body, as errors show it: `a.b[2]`, with unusual names in quotes. */
export const formatPath = (names: readonly string[]): string => {
  const path = names.slice(0, MAX_PATH_NAMES).map(formatName).join('').replace(/^\./, '')
  return names.length > MAX_PATH_NAMES ? `${path}…` : path
}
