import { parseArgs } from 'node:util'
import { accessOptions, type Input, readAccess } from '../../cli/access.ts'
import { numberFrom, runCommand, UsageError } from '../../cli/command.ts'
import type { Screen } from '../../cli/progress.ts'
import type { ImportCounts } from '../counts.ts'
import { notationFrom } from '../formats/csv/notation.ts'
import type { ColumnNames } from '../formats/csv/tables.ts'
import { type Format, formats } from '../formats/source.ts'
import { type ImportSettings, importFrom } from './import.ts'
import { importProgress } from './import-progress.ts'

const usageOf = (command: string): string => `usage: ${command} FILE… [OPTIONS]

Records the entities in files. "-" is standard input; files whose names end in .gz are unpacked. Files and rows may be in
any order: entities that others refer to are sent first. The same command again records nothing twice.

  --from FORMAT      ndjson: a line for each entity, {"type": "customer", "data": {…}}, with the body of a create
                     csv: a file for each resource, named after it (customers.csv), and line_items.csv with invoice_id for
                     the lines of invoices; the header names the fields
                     stripe: Stripe's objects or lists of them, as its API and its command line print them: products,
                     prices, customers, coupons, invoices with all their lines and expanded discounts
                     If not given: csv for names that end in .csv or .csv.gz, ndjson for all others.
  --map COLUMN=FIELD for CSV: the column stands for the field; without a field it is left out. May be repeated. The column
                     of one file only: "invoices:Customer=customer_id"
  --decimal SIGN     for CSV: amounts are in the major unit, with a comma (,) or a point (.) before the cents
  --dates ORDER      for CSV: dates are DD.MM.YYYY, or in another order, or with / - or a space, such as MM/DD/YYYY
  --one-off          records an invoice without subscription_id under the subscription "one-off:CUSTOMER"
  --cut-metadata     for Stripe: leaves out metadata over 16 KiB, and records its customer without
  --allow-missing-pages
                     for Stripe: takes lists whose last page is missing, and counts them as skipped
  --update           updates recorded customers to their rows; absent fields are cleared
  --dry-run          predicts the outcome of every row and records nothing
  --report FILE      appends a line of JSON for each row; the same command again skips the recorded rows
  --concurrency N    the maximum number of concurrent requests, 1 to 1000 (default: 64)

  --url URL --app-id ID
                     the API and the application; by default, BILLING_URL and BILLING_APP_ID of the environment

The environment variable BILLING_API_KEY is the API key. Without it, the command asks for the key, or reads it from a pipe.

Prints the counts of rows by outcome as a line of JSON. Exits with 0 if all rows are recorded, with 2 if some are not,
with 1 if it could not go on.`

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const options = {
  from: text,
  map: { type: 'string', multiple: true },
  decimal: text,
  dates: text,
  report: text,
  concurrency: text,
  ...accessOptions,
  update: flag,
  'dry-run': flag,
  'cut-metadata': flag,
  'one-off': flag,
  'allow-missing-pages': flag,
} as const

const formatFrom = (name: string | undefined): Format | undefined => {
  if (name === undefined || (formats as readonly string[]).includes(name)) return name as Format | undefined
  throw new UsageError(`--from must be one of ${formats.join(', ')} (got "${name}")`)
}

const columnsFrom = (texts: readonly string[]): ColumnNames =>
  new Map(
    texts.map((text) => {
      const [column, field, ...more] = text.split('=')
      if (column && field !== undefined && more.length === 0) return [column, field]
      throw new UsageError(`--map must be a column and a field, such as "Customer ID=id" (got "${text}")`)
    }),
  )

const MAX_CONCURRENCY = 1_000

/** Runs the command. Throws UsageError, CommandError if it cannot continue, or an error of parseArgs. */
export const runImport = async (
  args: readonly string[],
  { env, input, screen }: { readonly env: NodeJS.ProcessEnv; readonly input: Input; readonly screen: Screen },
): Promise<ImportCounts> => {
  const { values, positionals: files } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (files.length === 0) throw new UsageError('a file is missing; - is standard input')
  const format = formatFrom(values.from)
  const progress = importProgress(screen, format)
  const settings: ImportSettings = {
    files,
    input,
    format,
    columns: columnsFrom(values.map ?? []),
    notation: notationFrom(values),
    accepted: {
      cutsMetadata: values['cut-metadata'],
      recordsOneOffs: values['one-off'],
      allowsMissingPages: values['allow-missing-pages'],
    },
    updates: values.update,
    isDryRun: values['dry-run'],
    report: values.report,
    concurrency: numberFrom('--concurrency', values.concurrency ?? '64', 1, MAX_CONCURRENCY),
    progress,
  }
  try {
    if (files.includes('-') && !env.BILLING_API_KEY)
      throw new UsageError('BILLING_API_KEY is required where - reads the standard input')
    const counts = await importFrom(settings, await readAccess(values, env, input))
    progress.showResult(counts, values['dry-run'])
    return counts
  } finally {
    progress.end()
  }
}

/** Runs the command as a program. `command` is its name in the usage. */
export const importMain = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  runCommand(
    {
      name: 'import',
      usage: usageOf(command),
      misuse: 1,
      run: async (given) => {
        const counts = await runImport(given, { env, input: process.stdin, screen: process.stderr })
        console.log(JSON.stringify(counts))
        process.exitCode = counts.conflict + counts.invalid + counts.failed === 0 ? 0 : 2
      },
    },
    args,
  )
