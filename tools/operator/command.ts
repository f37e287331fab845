import { ApiError } from '../../shared/errors.ts'
import { StartError } from '../local/settings.ts'

/** A command was not called as its usage says. */
export class UsageError extends StartError {}

/** A program of `bin/`, as a person at a terminal sees it. */
export interface Command {
  readonly name: string
  readonly usage: string
  /** The exit code where it is not called as its usage says: 2 if not given. */
  readonly misuse?: number
  /** Does it; throws UsageError, or StartError for what the person can mend. */
  readonly run: (args: readonly string[]) => Promise<void>
}

const isMisuse = (error: unknown): boolean =>
  error instanceof UsageError || /^ERR_PARSE_ARGS/.test(String((error as { code?: unknown }).code))

/** Runs a command, with the process's arguments unless others are given: a fault of its user is told in one line, any other keeps its stack. */
export const runCommand = async (
  { name, usage, misuse: misuseCode = 2, run }: Command,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> => {
  if (args.includes('--help')) return console.log(usage)
  try {
    await run(args)
  } catch (error) {
    const misuse = isMisuse(error)
    if (!misuse && !(error instanceof StartError)) throw error
    console.error(`${name}: ${(error as Error).message}${misuse ? ' (--help shows the usage)' : ''}`)
    process.exitCode = misuse ? misuseCode : 1
  }
}

/** What went wrong with a table, in one line: the reason that lies behind a busy or broken database. */
export const plainly = (error: unknown): StartError => {
  if (error instanceof StartError) return error
  const { message, name } = ((error instanceof ApiError && error.cause) || error) as Error
  const line = message.split('\n')[0] || name
  return new StartError(error instanceof ApiError ? `the table cannot be used: ${line}` : line, {
    cause: error,
  })
}

/** An address given on the command line, without slashes at its end; `name` is what it is called there. */
export const addressFrom = (name: string, text: string): string => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new UsageError(`${name} must be an address such as https://billing.example.org (got "${text}")`)
  return text.replace(/\/+$/, '')
}
