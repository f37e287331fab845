import { inspect } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { concealKeys } from '../../shared/store/credentials.ts'
import { StartError } from '../local/settings.ts'
import { printable } from './progress.ts'

/** Thrown if the arguments of a command are wrong. */
export class UsageError extends StartError {}

/** A command-line program in `bin/`. */
export interface Command {
  readonly name: string
  readonly usage: string
  /** The exit code for wrong arguments. By default 2. */
  readonly misuse?: number
  /** Throws UsageError, or StartError for another error that the user can fix. */
  readonly run: (args: readonly string[]) => Promise<void>
}

/** Returns the message if an error is about wrong arguments; otherwise undefined. */
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
    const lines = misuse || error instanceof StartError ? [`${name}: ${line}`] : inspect(error).split('\n')
    console.error(lines.map(printable).join('\n'))
    process.exitCode = misuse ? misuseCode : 1
  }
}

/** Returns an error of the table as a StartError with a message of one line, that of the cause if there is one. */
export const asStartError = (error: unknown): StartError => {
  if (error instanceof StartError) return error
  const { message, name } = ((error instanceof ApiError && error.cause) || error) as Error
  const line = message.split('\n')[0] || name
  return new StartError(error instanceof ApiError ? `the table cannot be used: ${line}` : line, {
    cause: error,
  })
}

/** Returns an address without slashes at its end. Throws UsageError, with the name of the option, if it is not an address. */
export const addressFrom = (name: string, text: string): string => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new UsageError(`${name} must be an address such as https://billing.example.org (got "${text}")`)
  return text.replace(/\/+$/, '')
}
