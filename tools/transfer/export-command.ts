import { parseArgs } from 'node:util'
import { asStartError, UsageError } from '../operator/command.ts'
import { progress, type Screen } from '../operator/progress.ts'
import { openTable, requireTable } from '../operator/table.ts'
import { exportApplication, type Manifest } from './export.ts'

/** How the command is called. */
export const exportUsage = `usage: npm run --silent export -- --app APP_ID [--customer ID] [--out FOLDER] [--table TABLE [--region REGION]]

Writes everything that an application has recorded, a file for each noun, as lines that "import" takes, and
manifest.json with counts and SHA-256, which it also prints. Fields that answers do not show are in them: keep the
folder as you keep the table.

  --customer ID  one person's whole record, by either id: customer, subscriptions, invoices, discounts used
  --out FOLDER   where to write, APP_ID.export if not given; a folder that holds an export is refused

Works on the table of the local engine or, with --table, on a deployed one.`

const text = { type: 'string' } as const
const options = { app: text, customer: text, out: text, table: text, region: text } as const

/** Runs the command. Throws UsageError, or StartError where it could not go on. */
export const runExport = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  screen: Screen = process.stderr,
): Promise<Manifest> => {
  const { app, customer, out, ...table } = parseArgs({ args: [...args], options }).values
  if (!app) throw new UsageError('--app is missing')
  if (customer === '' || out === '') throw new UsageError('--customer and --out must not be empty')
  requireTable(table)
  const close = await openTable(table, env)
  const { tell, end } = progress(screen)
  try {
    return await exportApplication({ app, customer, folder: out ?? `${app}.export`, tell })
  } catch (error) {
    throw asStartError(error)
  } finally {
    end()
    await close()
  }
}
