import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestName } from '../../shared/http/validation/suggest.ts'
import { UsageError } from './command.ts'

/** Usage and parsing of arguments are made from it. */
export interface Option {
  /** The name of the value in the usage, such as `FILE`. Without it, the option is a flag. */
  readonly value?: string
  /** For the usage: paragraphs without line breaks. */
  readonly about: string
  /** Such as `c` for `-c`. */
  readonly short?: string
  readonly default?: string
  readonly isRequired?: boolean
  readonly isRepeatable?: boolean
}

/** By name, without the dashes. */
export type Options = Readonly<Record<string, Option>>

type SingleValue<O extends Option> = O extends { readonly isRequired: true } | { readonly default: string }
  ? string
  : string | undefined

type TextValue<O extends Option> = O extends { readonly isRepeatable: true } ? string[] : SingleValue<O>

type ValueOf<O extends Option> = O extends { readonly value: string } ? TextValue<O> : boolean

export type OptionValues<T extends Options> = { readonly [Name in keyof T]: ValueOf<T[Name]> }

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

/** Reads unknown options as flags. */
const tokensOf = (args: readonly string[], config: ParseArgsOptionsConfig) =>
  parseArgs({ args: [...args], options: config, allowPositionals: true, strict: false, tokens: true }).tokens

type Token = ReturnType<typeof tokensOf>[number]

/** The end of an error message; empty if no name is similar. */
export const didYouMean = (name: string, names: readonly string[]): string => {
  const similar = closestName(name, names)
  return similar === undefined ? '' : `; did you mean ${similar}?`
}

/** Throws UsageError, which names the most similar option. */
const refuseUnknown = (tokens: readonly Token[], config: ParseArgsOptionsConfig): void => {
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(config, token.name)) continue
    const names = Object.keys(config).map((name) => `--${name}`)
    throw new UsageError(`unknown option ${token.rawName}${didYouMean(token.name, names)}`)
  }
}

/** Throws UsageError for an option without its value: in a shell, an empty variable leaves nothing or `""`. */
const refuseMissingValues = (tokens: readonly Token[], config: ParseArgsOptionsConfig): void => {
  for (const token of tokens) {
    if (token.kind !== 'option' || config[token.name]?.type !== 'string') continue
    const { rawName, value, inlineValue } = token
    if (value === undefined) throw new UsageError(`${rawName} has no value`)
    if (value === '') throw new UsageError(`the value of ${rawName} is empty`)
    if (!inlineValue && /^-./.test(value))
      throw new UsageError(`${rawName} has no value, but is followed by ${value}`)
  }
}

/** Throws UsageError with the first sentence of Node's message. */
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
    throw new UsageError(message.split(/\.\s/)[0]?.replaceAll(/\s+/g, ' '), { cause: error })
  }
}

/** With `allowPositionals`, also returns the other arguments. Throws UsageError. */
export const parseOptions = <const T extends Options>(
  args: readonly string[],
  options: T,
  { allowPositionals = false } = {},
) => {
  const config = parseArgsOptions(options)
  const tokens = tokensOf(args, config)
  refuseUnknown(tokens, config)
  refuseMissingValues(tokens, config)
  const { values, positionals } = parseStrictly(args, config, allowPositionals)
  const valuesByName: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const value = values[name]
    if (option.isRequired && value === undefined) throw new UsageError(`--${name} is missing`)
    if (option.value === undefined) valuesByName[name] = value ?? false
    else if (option.isRepeatable) valuesByName[name] = value ?? []
    else valuesByName[name] = value ?? option.default
  }
  return { values: valuesByName as OptionValues<T>, positionals }
}

const argumentsOf = (token: Token): string[] => {
  if (token.kind === 'positional') return [token.value]
  if (token.kind === 'option-terminator') return ['--']
  const { rawName, value } = token
  if (value === undefined) return [rawName]
  return token.inlineValue && rawName.startsWith('--') ? [`${rawName}=${value}`] : [rawName, value]
}

/**
 * For a command that passes all other arguments on to another program. Throws UsageError for an option that
 * neither the command nor the program has.
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
