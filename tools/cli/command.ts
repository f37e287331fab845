import { inspect } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { concealKeys } from '../../shared/store/credentials.ts'

/** An error that the user of a command can fix. The message is one line without a period. */
export class CommandError extends Error {}

/** Thrown if the arguments of a command or its settings are wrong. */
export class UsageError extends CommandError {}

/** A command-line program in `bin/`. */
export interface Command {
  readonly name: string
  readonly usage: string
  /** The exit code for wrong arguments. By default 2. */
  readonly misuse?: number
  /** Throws UsageError for wrong arguments, and CommandError for any other error that the user can fix. */
  readonly run: (args: readonly string[]) => Promise<void>
}

/**
 * Returns a text from a file or an argument in a form that is safe to print: without API keys, and without characters that
 * control the terminal, end the line or change the direction of text.
 */
export const printable = (text: string): string =>
  concealKeys(text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '\uFFFD'))

/** Returns a value as JSON to print, in which characters are escaped that control a terminal or the direction of text. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const misuseIn = (error: unknown): string | undefined => {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof UsageError) return message
  return /^ERR_PARSE_ARGS/.test(String(code)) ? message.split('. ')[0] : undefined
}

/** Returns the value of an option that is sent to AWS. Throws UsageError if it contains an API key. */
export const withoutKey = (name: string, text: string): string => {
  if (concealKeys(text) === text) return text
  throw new UsageError(`${name} must not contain an API key`)
}

/** Returns a text that is an address. Throws UsageError, with the name of the option or setting, for any other text. */
export const addressFrom = (name: string, text: string): string => {
  if (!(/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text)))
    throw new UsageError(`${name} must be an address that begins with http:// or https:// (got "${text}")`)
  return text
}

/** Returns a text that is an origin of pages, or "*". Throws UsageError, with the name of the option or setting, for any other. */
export const originFrom = (name: string, text: string): string => {
  if (/^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#]+)$/.test(text)) return text
  throw new UsageError(`${name} must be an origin such as "http://localhost:5173", or "*" (got "${text}")`)
}

/** Returns a number from `min` to `max`. Throws UsageError, with the name of the option or setting, for any other text. */
export const numberFrom = (name: string, text: string, min: number, max: number): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${name} must be a number from ${min} to ${max} (got "${text}")`)
}

/**
 * Runs a command and sets the exit code. Prints an error that the user can fix in one line, any other with its stack trace, both
 * without API keys.
 */
export const runCommand = async (
  { name, usage, misuse: misuseCode = 2, run }: Command,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> => {
  if (args.includes('--help')) return console.log(usage)
  try {
    await run(args)
  } catch (error) {
    const misuse = misuseIn(error)
    const line = misuse ? `${misuse} (--help shows the usage)` : (error as Error).message
    const lines = misuse || error instanceof CommandError ? [`${name}: ${line}`] : inspect(error).split('\n')
    console.error(lines.map(printable).join('\n'))
    process.exitCode = misuse ? misuseCode : 1
  }
}

/** Returns an error of the table as a CommandError with a message of one line, that of the cause if there is one. */
export const asCommandError = (error: unknown): CommandError => {
  if (error instanceof CommandError) return error
  const { message, name } = ((error instanceof ApiError && error.cause) || error) as Error
  const line = message.split('\n')[0] || name
  return new CommandError(error instanceof ApiError ? `the table cannot be used: ${line}` : line, {
    cause: error,
  })
}
