import { parseArgs } from 'node:util'
import { UsageError } from '../../cli/command.ts'
import { progress, type Screen } from '../../cli/progress.ts'
import { onTable } from '../../operator/command-table.ts'
import { exportApplication, type Manifest } from './export.ts'

export const exportUsage = `usage: npm run --silent export -- --app APP_ID [--customer ID] [--out FOLDER] [--table TABLE [--region REGION]]

Exports everything that an application has recorded: a file for each resource, with lines that "import" accepts, and
manifest.json with counts and checksums, which it also prints. The files contain fields that the API does not return:
protect the folder as you protect the table.

  --customer ID  exports one customer's record, by either id: customer, subscriptions, invoices, and what these refer to
  --out FOLDER   the folder to write to (default: APP_ID.export); it must be new or empty

Uses the table of the local engine or, with --table, a deployed one.`

const text = { type: 'string' } as const
const options = { app: text, customer: text, out: text, table: text, region: text } as const

/** Runs the command. Throws UsageError, CommandError if it cannot continue, or an error of parseArgs. */
export const runExport = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  screen: Screen = process.stderr,
): Promise<Manifest> => {
  const { app, customer, out, ...table } = parseArgs({ args: [...args], options }).values
  if (!app) throw new UsageError('--app is missing')
  if (customer === '' || out === '') throw new UsageError('--customer and --out must not be empty')
  const { tell, line, end } = progress(screen)
  const folder = out ?? `${app}.export`
  const manifest = await onTable(table, env, () =>
    exportApplication({ app, customer, folder, tell }).finally(end),
  )
  const lines = Object.values(manifest.files).reduce((sum, { count }) => sum + count, 0)
  line(`Exported ${lines.toLocaleString('en')} entities to "${folder}".`)
  return manifest
}
