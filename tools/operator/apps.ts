import { parseArgs } from 'node:util'
import { commands, type Options, values } from './apps-commands.ts'
import { UsageError } from './command.ts'
import { onTable, type TableOptions } from './command-table.ts'
import type { Waiting } from './count-down.ts'
import type { Input } from './secret.ts'

const synopses = Object.entries(commands).map(([name, { options }]) => `${name.padEnd(7)} ${options}`)
const width = Math.max(...synopses.map(({ length }) => length))
const lines = Object.values(commands).map(
  ({ does }, index) => `  ${synopses[index]!.padEnd(width)}   ${does}`,
)

/** The usage of the command. */
export const appsUsage = `usage: npm run apps -- COMMAND [OPTIONS] [--table TABLE [--region REGION]]

${lines.join('\n')}

Uses the table of the local engine or, with --table, a deployed one. Prints JSON.

NAME      a name for the application
SHARDS    the partitions that hold each list, from 1 to 64; never fewer than before
LIFETIME  how long the new key works, in hours or days, such as 12h or 90d; without it, until it is revoked
KEY       an API key; "-" asks for it, or reads it from a pipe, which keeps it out of the shell's history

A key is shown only when it is created. The new key of a disabled application is refused until the application is
enabled. If a command fails or is interrupted, run it again: some keys may be unchanged. "scale" lets lists read the new
shards, waits 90 seconds until all do, and lets creates use them. "remove" refuses the keys, waits 76 seconds until none
of them works anywhere, deletes, and five minutes later deletes what delayed requests have recorded. Until it has
finished, no command enables the application. With --keep-application the empty application and its keys stay.`

type Texts = Readonly<Record<string, string | true | undefined>>

const optionsOf = (synopsis: string) =>
  [...synopsis.matchAll(/(\[?)--([\w-]+)(?: (\w+))?/g)].map(([, bracket, name, value]) => ({
    name: name as string,
    needed: bracket === '',
    /** Absent for an option without a value. */
    read: value === undefined ? undefined : values[value as keyof typeof values],
  }))

const known = Object.values(commands).flatMap(({ options }) => optionsOf(options))

const parse = (args: readonly string[]): { command: string; texts: Texts } => {
  const text = { type: 'string' } as const
  const types = known.map(({ name, read }) => [name, read ? text : ({ type: 'boolean' } as const)] as const)
  const options = { ...Object.fromEntries(types), table: text, region: text }
  const { values: texts, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [command, ...more] = positionals
  if (command === undefined) throw new UsageError('a command is missing')
  if (!Object.hasOwn(commands, command)) throw new UsageError(`"${command}" is not a command of apps`)
  if (more.length > 0) throw new UsageError(`"apps ${command}" does not take "${more[0]}"`)
  return { command, texts: texts as Texts }
}

/** Parses and checks a command's options. */
const read = async (command: string, { table: _, region: __, ...texts }: Texts, input: Input) => {
  const options = optionsOf(commands[command]!.options)
  const stray = Object.keys(texts).find((name) => !options.some((option) => option.name === name))
  if (stray) throw new UsageError(`"apps ${command}" does not take --${stray}`)
  const found: Record<string, unknown> = {}
  for (const { name, needed, read: from } of options) {
    const text = texts[name]
    if (needed && !text) throw new UsageError(`--${name} is missing`)
    if (text !== undefined) found[name] = from ? await from(text as string, input) : text
  }
  const checked = found as unknown as Options
  commands[command]!.check?.(checked)
  return checked
}

/**
 * Runs a command, which may read a key from `input` and wait by `wait`. Returns JSON to print. Throws UsageError,
 * StartError, or an error of parseArgs.
 */
export const run = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Input = process.stdin,
  wait?: Waiting['wait'],
): Promise<string> => {
  const { command, texts } = parse(args)
  const options = await read(command, texts, input)
  const result = await onTable(texts as TableOptions, env, () => commands[command]!.run(options, wait))
  return JSON.stringify(result, null, 2)
}
