import { UsageError } from '../cli/command.ts'
import type { WaitOptions } from '../cli/count-down.ts'
import { didYouMean } from '../cli/options.ts'
import { printableJson } from '../cli/printable.ts'
import { progressDisplay } from '../cli/progress.ts'
import type { Input } from '../cli/secret.ts'
import { optionList, synopsis } from '../cli/usage.ts'
import { appsCommands } from './apps-commands.ts'
import { onTable, tableOptions } from './command-table.ts'

const commands = Object.entries(appsCommands)
const synopses = commands.map(([name, { options }]) => `${name.padEnd(7)} ${synopsis(options)}`)
const width = Math.max(...synopses.map(({ length }) => length))
const commandLines = commands.map(
  ([, { summary }], index) => `  ${synopses[index]!.padEnd(width)}   ${summary}`,
)

export const appsUsage = `usage: npm run apps -- COMMAND [OPTIONS] ${synopsis(tableOptions)}

${commandLines.join('\n')}

Uses the table of the local engine or, with --table, a deployed one. Prints JSON.

${optionList(...commands.map(([, { options }]) => options), tableOptions)}

A key is shown only when it is created. A new key of a disabled application is refused until the application is enabled.
A command that fails or is interrupted can be run again. The keys of an application are changed together; if it has more
than 99, the command prints how many are left. "scale" makes lists read the new shards, waits 90 seconds until all lists
do, and then makes creates use them. "remove" makes the service refuse the keys, waits 76 seconds until no key works
anywhere, deletes the data, and five minutes later deletes what delayed requests have recorded since. Until it has
finished, no command enables the application. If only one local service uses the database, both commands wait only seven
seconds, until the requests in progress have ended.`

/**
 * May read a key from `input` and wait by `wait`. Returns JSON to print. Throws UsageError and CommandError.
 */
export const runApps = async (
  [name, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Input = process.stdin,
  wait?: WaitOptions['wait'],
): Promise<string> => {
  if (name === undefined) throw new UsageError('a command is missing')
  const command = Object.hasOwn(appsCommands, name) ? appsCommands[name] : undefined
  if (!command)
    throw new UsageError(`"${name}" is not a command of apps${didYouMean(name, Object.keys(appsCommands))}`)
  const { table, work } = await command.prepare(args, input)
  const { show, end } = progressDisplay()
  const result = await onTable(table, env, (requestMillis) =>
    work({ show, wait, requestMillis }).finally(end),
  )
  return printableJson(result)
}
