import { parseArgs } from 'node:util'
import { UsageError } from './command.ts'

/** An option of a command. The usage and the parsing of arguments are made from it. */
export interface Option {
  /** The name of the value in the usage, such as `FILE`. Without it, the option is a flag. */
  readonly value?: string
  /** What the option does, for the usage: paragraphs without line breaks. */
  readonly about: string
  readonly isRequired?: boolean
  /** Whether the option may be given several times. */
  readonly isRepeatable?: boolean
}

/** The options of a command by name, without the dashes. */
export type Options = Readonly<Record<string, Option>>

/** The value of an option: a text, several, or whether a flag is given. */
type ValueOf<O extends Option> = O extends { readonly value: string }
  ? O extends { readonly isRepeatable: true }
    ? string[]
    : O extends { readonly isRequired: true }
      ? string
      : string | undefined
  : boolean

/** The values of options by name. */
export type OptionValues<T extends Options> = { readonly [Name in keyof T]: ValueOf<T[Name]> }

/**
 * Returns the options of a command and, with `allowPositionals`, its other arguments. Throws UsageError, or an error of
 * parseArgs.
 */
export const parseOptions = <const T extends Options>(
  args: readonly string[],
  options: T,
  { allowPositionals = false } = {},
) => {
  const types = Object.fromEntries(
    Object.entries(options).map(([name, { value, isRepeatable = false }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeatable },
    ]),
  )
  const { values, positionals } = parseArgs({ args: [...args], options: types, allowPositionals })
  const found: Record<string, unknown> = {}
  for (const [name, { value, isRequired, isRepeatable }] of Object.entries(options)) {
    const given = values[name]
    if (isRequired && !given) throw new UsageError(`--${name} is missing`)
    if (value === undefined) found[name] = given ?? false
    else found[name] = isRepeatable ? (given ?? []) : given
  }
  return { values: found as OptionValues<T>, positionals }
}

/** Returns an option as the usage writes it, such as `--report FILE`. */
const synopsisOf = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`

/** Returns the options of a command in one line, optional ones in brackets. */
export const synopsis = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => (option.isRequired ? synopsisOf(name, option) : `[${synopsisOf(name, option)}]`))
    .join(' ')

const WIDTH = 120

/** Breaks a text into lines of at most `width` characters. */
const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Returns the descriptions of options for a usage, each indented behind its name. */
export const optionsHelp = (options: Options, column = 21): string => {
  const lines: string[] = []
  for (const [name, option] of Object.entries(options)) {
    const start = `  ${synopsisOf(name, option)}`
    const [first = '', ...rest] = option.about.split('\n').flatMap((text) => wrapped(text, WIDTH - column))
    if (start.length < column - 1) lines.push(start.padEnd(column) + first)
    else lines.push(start, ' '.repeat(column) + first)
    for (const line of rest) lines.push(' '.repeat(column) + line)
  }
  return lines.join('\n')
}
