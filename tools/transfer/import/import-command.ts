import { accessOptions, readAccess } from '../../cli/access.ts'
import { runCommand, UsageError } from '../../cli/command.ts'
import { type Options, parseOptions } from '../../cli/options.ts'
import type { Screen } from '../../cli/progress.ts'
import type { Input } from '../../cli/secret.ts'
import { numberFrom } from '../../cli/setting-values.ts'
import { optionList } from '../../cli/usage.ts'
import { type ImportCounts, refusedRows } from '../counts.ts'
import type { ColumnOptions } from '../formats/csv/columns.ts'
import { notationFrom } from '../formats/csv/notation.ts'
import { type Format, formats } from '../formats/source.ts'
import { type ImportSettings, importFrom } from './import.ts'
import { importProgress } from './import-progress.ts'

const options = {
  from: {
    value: 'FORMAT',
    about: `ndjson: a line for each entity, {"type": "customer", "data": {…}}, with the body of a create
csv: a file for each resource, named after it (customers.csv), and line_items.csv with invoice_id for the lines of invoices; the header names the fields
stripe: Stripe's objects or lists of them, as its API and its command line print them: products, prices, customers, coupons, credit notes, and invoices with all their lines and expanded discounts
If not given: csv for names that end in .csv or .tsv, also with .gz, ndjson for all others.`,
  },
  map: {
    value: 'COLUMN=FIELD',
    isRepeatable: true,
    about:
      'for CSV: the column stands for the field, or for several (FIELD,FIELD); without a field it is left out. The column of one file only: "invoices:Customer=customer_id". The second column of one name: "Email#2=email"',
  },
  'leave-out': { value: 'REST', about: 'for CSV: leaves out all columns that are not fields' },
  set: {
    value: 'FIELD=VALUE',
    isRepeatable: true,
    about: 'for CSV: the value of a field that a file has no column for, such as "prices:type=recurring"',
  },
  empty: {
    value: 'TEXT',
    isRepeatable: true,
    about: 'for CSV: a cell that is this text, without quotes, is empty, such as NULL',
  },
  decimal: {
    value: 'SIGN',
    about: 'for CSV: amounts are in the major unit, with a comma (,) or a point (.) before the cents',
  },
  dates: {
    value: 'ORDER',
    about:
      'for CSV: dates are DD.MM.YYYY, or in another order, or with / - or a space, such as MM/DD/YYYY; MMM is the name of a month, and YY has two digits',
  },
  zone: {
    value: 'AREA/CITY',
    about: 'for CSV: the time zone of dates that say none, such as America/New_York; if not given, UTC',
  },
  'one-off': {
    about: 'records an invoice without subscription_id under the subscription "one-off:CUSTOMER"',
  },
  'cut-metadata': {
    about: 'for Stripe: leaves out metadata over 16 KiB, and records its customer without',
  },
  'allow-missing-pages': {
    about: 'for Stripe: takes lists whose last page is missing, and counts them as skipped',
  },
  update: {
    about:
      'updates recorded customers to their rows, in which absent fields are cleared, and the names of recorded products, prices and discounts',
  },
  'dry-run': { about: 'predicts the outcome of every row, with GET requests alone' },
  report: {
    value: 'FILE',
    about: 'appends a line of JSON for each row; the same command again skips the recorded rows',
  },
  concurrency: {
    value: 'N',
    about: 'the maximum number of concurrent requests, 1 to 1000 (default: 64)',
  },
  ...accessOptions,
} as const satisfies Options

const usageOf = (command: string): string => `usage: ${command} FILE… [OPTIONS]

Records the entities in files. "-" is standard input; files whose names end in .gz are unpacked. Files and rows may be in
any order: entities that others refer to are sent first. The same command again records nothing twice.

${optionList(options)}

The environment variable BILLING_API_KEY is the API key. Without it, the command asks for the key, or reads it from a pipe.

Prints the counts of rows by outcome as a line of JSON. Exits with 0 if all rows are recorded, with 2 if some are not,
with 1 if it could not continue.`

const formatFrom = (name: string | undefined): Format | undefined => {
  const format = formats.find((each) => each === name)
  if (name === undefined || format !== undefined) return format
  throw new UsageError(`--from must be one of ${formats.join(', ')} (got "${name}")`)
}

/** Splits a text at its last "=", since the name of a column may have one. Throws UsageError with the `expected` form. */
const partsAt = (text: string, separator: number, expected: string): [name: string, value: string] => {
  if (separator < 1) throw new UsageError(`${expected} (got "${text}")`)
  return [text.slice(0, separator), text.slice(separator + 1)]
}

/** Returns what the user says about the columns of CSV files. Throws UsageError. */
const columnOptionsFrom = (
  maps: readonly string[],
  constants: readonly string[],
  leaveOut: string | undefined,
): ColumnOptions => {
  if (leaveOut !== undefined && leaveOut !== 'REST')
    throw new UsageError(
      `--leave-out must be REST, for all columns that are not fields; --map "${leaveOut}=" leaves out one (got "${leaveOut}")`,
    )
  const names = new Map<string, readonly string[]>()
  for (const text of maps) {
    const expected = '--map must be a column and a field, such as "Customer ID=id"'
    // The name of a column may have an equals sign, and no field has one.
    const [column, fields] = partsAt(text, text.lastIndexOf('='), expected)
    if (names.has(column))
      throw new UsageError(`--map names the column "${column}" twice: two fields are "${column}=FIELD,FIELD"`)
    names.set(
      column,
      fields.split(',').map((field) => field.trim()),
    )
  }
  const values = new Map<string, string>()
  for (const text of constants) {
    const expected = '--set must be a field and a value, such as "prices:type=recurring"'
    const [field, value] = partsAt(text, text.indexOf('='), expected)
    if (values.has(field)) throw new UsageError(`--set gives ${field} twice`)
    values.set(field, value)
  }
  return { names, constants: values, leavesOutUnknown: leaveOut !== undefined }
}

const MAX_CONCURRENCY = 1_000

/** Runs the command. Throws UsageError, or CommandError if it cannot continue. */
export const runImport = async (
  args: readonly string[],
  { env, input, screen }: { readonly env: NodeJS.ProcessEnv; readonly input: Input; readonly screen: Screen },
): Promise<ImportCounts> => {
  const { values, positionals } = parseOptions(args, options, { allowPositionals: true })
  const files: readonly string[] = positionals
  if (files.length === 0) throw new UsageError('a file is missing; - is standard input')
  const format = formatFrom(values.from)
  const progress = importProgress(screen, format)
  const settings: ImportSettings = {
    files,
    input,
    format,
    columns: columnOptionsFrom(values.map, values.set, values['leave-out']),
    notation: notationFrom(values),
    empty: new Set(values.empty),
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
        process.exitCode = refusedRows(counts) === 0 ? 0 : 2
      },
    },
    args,
  )
