import { type Options, parseOptions } from '../../cli/options.ts'
import { progressDisplay, type Screen } from '../../cli/progress.ts'
import { optionList, synopsis } from '../../cli/usage.ts'
import { onTable, tableOptions } from '../../operator/command-table.ts'
import { exportApplication, type Manifest } from './export.ts'

const options = {
  app: { value: 'APP_ID', isRequired: true, about: 'the application' },
  customer: {
    value: 'ID',
    about:
      "exports only one customer's record, by either id: the customer, the subscriptions and invoices, and the entities that these refer to",
  },
  out: {
    value: 'FOLDER',
    about: 'the folder to write to, which must be new or empty (default: APP_ID.export)',
  },
  ...tableOptions,
} as const satisfies Options

export const exportUsage = `usage: npm run --silent export -- ${synopsis(options)}

Exports everything that an application has recorded: a file for each resource, with lines that "import" accepts, and
manifest.json with counts and checksums, which the command also prints. The files contain fields that the API does not return:
protect the folder as you protect the table.

${optionList(options)}`

/** Runs the command. Throws UsageError, or CommandError if it cannot continue. */
export const runExport = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  screen: Screen = process.stderr,
): Promise<Manifest> => {
  const { app, customer, out, ...table } = parseOptions(args, options).values
  const { show, line, end } = progressDisplay(screen)
  const folder = out ?? `${app}.export`
  const manifest = await onTable(table, env, () =>
    exportApplication({ app, customer, folder, show }).finally(end),
  )
  const count = manifest.files.reduce((sum, file) => sum + file.count, 0)
  line(`Exported ${count.toLocaleString('en')} entities to "${folder}".`)
  return manifest
}
