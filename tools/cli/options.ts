import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestName } from '../../shared/http/validation/suggest.ts'
import { UsageError } from './command.ts'

/** An option of a command. The usage and the parsing of arguments are made from it. */
export interface Option {
  /** The name of the value in the usage, such as `FILE`. Without it, the option is a flag. */
  readonly value?: string
  /** What the option does, for the usage: paragraphs without line breaks. */
  readonly about: string
  /** A letter that the option can also be given by, such as `c` for `-c`. */
  readonly short?: string
  /** The value of the option if it is not given. */
  readonly default?: string
  readonly isRequired?: boolean
  /** Whether the option can be given several times. */
  readonly isRepeatable?: boolean
}

/** The options of a command by name, without the dashes. */
export type Options = Readonly<Record<string, Option>>

/** The value of an option that can be given once. */
type SingleValue<O extends Option> = O extends { readonly isRequired: true } | { readonly default: string }
  ? string
  : string | undefined

/** The value of an option that has one: a text, or several. */
type TextValue<O extends Option> = O extends { readonly isRepeatable: true } ? string[] : SingleValue<O>

/** The value of an option; for a flag, whether it is given. */
type ValueOf<O extends Option> = O extends { readonly value: string } ? TextValue<O> : boolean

/** The values of options by name. */
export type OptionValues<T extends Options> = { readonly [Name in keyof T]: ValueOf<T[Name]> }

/** Returns options in the form that parseArgs takes. */
const parseArgsOptions = (options: Options): ParseArgsOptionsConfig => {
  const config: ParseArgsOptionsConfig = {}
  for (const [name, { value, short, isRepeatable = false }] of Object.entries(options))
    config[name] = {
      type: value === undefined ? 'boolean' : 'string',
      multiple: isRepeatable,
      ...(short === undefined ? {} : { short }),
    }
  return config
}

/** Splits arguments into options with their values, and other arguments. Reads unknown options as flags. */
const tokensOf = (args: readonly string[], config: ParseArgsOptionsConfig) =>
  parseArgs({ args: [...args], options: config, allowPositionals: true, strict: false, tokens: true }).tokens

type Token = ReturnType<typeof tokensOf>[number]

/** Returns the end of an error message that suggests the most similar of some names; empty if none is similar. */
export const didYouMean = (name: string, names: readonly string[]): string => {
  const similar = closestName(name, names)
  return similar === undefined ? '' : `; did you mean ${similar}?`
}

/** Throws UsageError if an option is not in `config`, and names the most similar one. */
const refuseUnknown = (tokens: readonly Token[], config: ParseArgsOptionsConfig): void => {
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(config, token.name)) continue
    const names = Object.keys(config).map((name) => `--${name}`)
    throw new UsageError(`unknown option ${token.rawName}${didYouMean(token.name, names)}`)
  }
}

/** Parses arguments with parseArgs of Node. If it refuses them, throws a UsageError with the first sentence of its message. */
const parseStrictly = (
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  allowPositionals: boolean,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    throw new UsageError(message.split('. ')[0], { cause: error })
  }
}

/** Returns the options of a command and, with `allowPositionals`, its other arguments. Throws UsageError. */
export const parseOptions = <const T extends Options>(
  args: readonly string[],
  options: T,
  { allowPositionals = false } = {},
) => {
  const config = parseArgsOptions(options)
  refuseUnknown(tokensOf(args, config), config)
  const { values, positionals } = parseStrictly(args, config, allowPositionals)
  const parsed: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const given = values[name]
    if (option.isRequired && !given) throw new UsageError(`--${name} is missing`)
    if (option.value === undefined) parsed[name] = given ?? false
    else if (option.isRepeatable) parsed[name] = given ?? []
    else parsed[name] = given ?? option.default
  }
  return { values: parsed as OptionValues<T>, positionals }
}

/** Returns the arguments that a token was made from. */
const argumentsOf = (token: Token): string[] => {
  if (token.kind === 'positional') return [token.value]
  if (token.kind === 'option-terminator') return ['--']
  const { rawName, value } = token
  if (value === undefined) return [rawName]
  return token.inlineValue && rawName.startsWith('--') ? [`${rawName}=${value}`] : [rawName, value]
}

/**
 * Returns the options of a command that passes all other arguments on to another program, and those arguments. Throws UsageError
 * for an option that neither the command nor the program has.
 */
export const parseOwnOptions = <const T extends Options>(
  args: readonly string[],
  options: T,
  programOptions: Options,
) => {
  const config = parseArgsOptions({ ...programOptions, ...options })
  const tokens = tokensOf(args, config)
  refuseUnknown(tokens, config)
  const isOwn = (token: Token) => token.kind === 'option' && Object.hasOwn(options, token.name)
  const ownArgs = tokens.filter(isOwn).flatMap(argumentsOf)
  return {
    values: parseOptions(ownArgs, options).values,
    passedOn: tokens.filter((token) => !isOwn(token)).flatMap(argumentsOf),
  }
}
