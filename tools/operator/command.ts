import { inspect } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { API_KEY_PREFIX } from '../../shared/store/credentials.ts'
import { StartError } from '../local/settings.ts'

/** The arguments of a command are wrong. */
export class UsageError extends StartError {}

/** A command-line program of `bin/`. */
export interface Command {
  readonly name: string
  readonly usage: string
  /** The exit code for wrong arguments (default 2). */
  readonly misuse?: number
  /** Throws UsageError, or StartError for another fault that its user can fix. */
  readonly run: (args: readonly string[]) => Promise<void>
}

/** What is wrong with the arguments: the first sentence of Node's parser; undefined for any other error. */
const misuseIn = (error: unknown): string | undefined => {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof UsageError) return message
  return /^ERR_PARSE_ARGS/.test(String(code)) ? message.split('. ')[0] : undefined
}

/** Replaces whatever looks like an API key: a user may have put one where something else belongs. */
export const concealKeys = (text: string): string =>
  text.replaceAll(new RegExp(`${API_KEY_PREFIX}\\w+`, 'g'), `${API_KEY_PREFIX}…`)

/**
 * Runs a command and sets the exit code. A fault that its user can fix is printed in one line, any other with its stack,
 * and API keys in neither.
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
    console.error(concealKeys(misuse || error instanceof StartError ? `${name}: ${line}` : inspect(error)))
    process.exitCode = misuse ? misuseCode : 1
  }
}

/** An error of working on a table as a StartError with one line; its cause if the store gave a general answer. */
export const asStartError = (error: unknown): StartError => {
  if (error instanceof StartError) return error
  const { message, name } = ((error instanceof ApiError && error.cause) || error) as Error
  const line = message.split('\n')[0] || name
  return new StartError(error instanceof ApiError ? `the table cannot be used: ${line}` : line, {
    cause: error,
  })
}

/** Checks an address and removes slashes at its end. Throws UsageError that names the option `name`. */
export const addressFrom = (name: string, text: string): string => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new UsageError(`${name} must be an address such as https://billing.example.org (got "${text}")`)
  return text.replace(/\/+$/, '')
}
