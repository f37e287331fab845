import { inspect } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { printable } from './printable.ts'

/** Its user can fix it. The message is one line without a period. */
export class CommandError extends Error {}

/** For wrong arguments or settings. */
export class UsageError extends CommandError {}

export interface Command {
  readonly name: string
  readonly usage: string
  /** The exit code for wrong arguments. By default 2. */
  readonly misuse?: number
  /** Throws UsageError for wrong arguments, and CommandError for any other error that the user can fix. */
  readonly run: (args: readonly string[]) => Promise<void>
}

/**
 * Sets the exit code. Prints one line for an error that the user can fix, and the stack trace of any other
 * error, both without API keys.
 */
export const runCommand = async (
  { name, usage, misuse = 2, run }: Command,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> => {
  if (args.includes('--help')) return console.log(usage)
  try {
    await run(args)
  } catch (error) {
    process.exitCode = error instanceof UsageError ? misuse : 1
    if (error instanceof UsageError)
      console.error(printable(`${name}: ${error.message} (--help shows the usage)`))
    else if (error instanceof CommandError) console.error(printable(`${name}: ${error.message}`))
    else console.error(inspect(error).split('\n').map(printable).join('\n'))
  }
}

/** What fixes an error whose message does not say so. */
const remedies: Readonly<Record<string, string>> = {
  'Region is missing': 'set it, such as "export AWS_REGION=eu-west-1"',
}

/** The message is one line: that of the cause, if there is one. */
export const asCommandError = (error: unknown): CommandError => {
  if (error instanceof CommandError) return error
  const isTableError = error instanceof ApiError
  const { message, name } = ((isTableError && error.cause) || error) as Error
  const firstLine = message.split('\n')[0] || name
  const line = [firstLine, remedies[firstLine] ?? []].flat().join(': ')
  return new CommandError(isTableError ? `the table cannot be used: ${line}` : line, { cause: error })
}
