import { accessOptions, readAccess } from '../../cli/access.ts'
import { runCommand, UsageError } from '../../cli/command.ts'
import { type Options, type OptionValues, parseOptions } from '../../cli/options.ts'
import type { Screen } from '../../cli/progress.ts'
import type { Input } from '../../cli/secret.ts'
import { numberFrom } from '../../cli/setting-values.ts'
import { optionList, termList } from '../../cli/usage.ts'
import { columnOptionsFrom } from '../formats/csv/column-options.ts'
import { notationFrom } from '../formats/csv/notation.ts'
import { type Format, fileFormats } from '../formats/read-rows.ts'
import { asksForRecipes, exportOf, recipeArguments, recipeOptions, recipes } from '../recipes/recipes.ts'
import { type ImportSettings, importFrom } from './import.ts'
import { type ImportCounts, importProgress, refusedRows } from './import-progress.ts'

export const importOptions = {
  from: {
    value: 'FORMAT',
    about: `ndjson: a line for each entity, {"type": "customer", "data": {…}}, where data is the body of a create
csv: a file for each resource, named after it (customers.csv), and line_items.csv with invoice_id for the line items of invoices; the header contains the names of the fields
stripe: Stripe objects or lists of them, as printed by Stripe's API and command line: products, prices, customers, coupons, credit notes, and invoices with all their lines and expanded discounts
By default, csv for files whose names end in .csv or .tsv, also with .gz, and ndjson for all others.`,
  },
  recipe: {
    value: 'NAME',
    about:
      'for CSV: the options that read the export of a system, or those in a JSON file, such as ./recipe.json; your own options add to them or replace them. Without NAME, shows the recipes',
  },
  ...recipeOptions,
  'cut-metadata': {
    about: 'for Stripe: records customers whose metadata is over 16 KiB without their metadata',
  },
  'allow-missing-pages': {
    about: 'for Stripe: accepts lists whose last page is missing, and counts them as skipped',
  },
  update: {
    about:
      'updates recorded customers to their rows, whose absent fields are cleared, and the names of recorded products, prices and discounts',
  },
  'dry-run': { about: 'predicts the outcome of every row with GET requests only, and records nothing' },
  report: {
    value: 'FILE',
    about: 'appends a line of JSON for each row; the same command then skips the rows that are recorded',
  },
  concurrency: {
    value: 'N',
    about: 'the maximum number of concurrent requests, 1 to 1000',
    default: '64',
  },
  ...accessOptions,
} as const satisfies Options

const importUsage = (command: string): string => `usage: ${command} FILE… [OPTIONS]

Records the entities in files. "-" is the standard input. Files whose names end in .gz are decompressed. Files and rows can be
in any order: entities are sent before the entities that refer to them. Repeating a command records nothing twice.

${optionList(importOptions)}

The environment variable BILLING_API_KEY is the API key. Without it, the command asks for the key, or reads it from a pipe.

Prints the number of rows for each outcome as a line of JSON. Exits with 0 if all rows are recorded, with 2 if some are not,
and with 1 if it could not continue.`

const formatFrom = (name: string | undefined): Format | undefined => {
  if (name === undefined) return undefined
  const format = fileFormats.find((supported) => supported === name)
  if (format === undefined)
    throw new UsageError(`--from must be one of ${fileFormats.join(', ')} (got "${name}")`)
  return format
}

const MAX_CONCURRENCY = 1_000

/** Throws UsageError for a wrong argument. */
export const settingsFrom = (
  files: readonly string[],
  values: OptionValues<typeof importOptions>,
): Omit<ImportSettings, 'input' | 'progress'> => {
  if (files.length === 0) throw new UsageError('the name of a file is missing; "-" is the standard input')
  return {
    files,
    format: formatFrom(values.from),
    columns: columnOptionsFrom(values),
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
    concurrency: numberFrom('--concurrency', values.concurrency, 1, MAX_CONCURRENCY),
  }
}

/** Throws UsageError, or CommandError if it cannot continue. */
export const runImport = async (
  args: readonly string[],
  { env, input, screen }: { readonly env: NodeJS.ProcessEnv; readonly input: Input; readonly screen: Screen },
): Promise<ImportCounts> => {
  const own = parseOptions(args, importOptions, { allowPositionals: true })
  // Of an option that is given twice, the last one counts.
  const { values, positionals } = parseOptions([...recipeArguments(own.values), ...args], importOptions, {
    allowPositionals: true,
  })
  const files: readonly string[] = positionals
  const settings = settingsFrom(files, values)
  if (files.includes('-') && !env.BILLING_API_KEY)
    throw new UsageError('BILLING_API_KEY is required if "-" reads the standard input')
  const access = await readAccess(values, env, input)
  const progress = importProgress(screen, settings.format)
  try {
    const counts = await importFrom({ ...settings, input, progress }, access)
    progress.showSummary(counts, settings.isDryRun)
    return counts
  } catch (error) {
    const { recipe } = own.values
    if (recipe === undefined || !(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message}; --recipe ${recipe} reads ${exportOf(recipe)}`, { cause: error })
  } finally {
    progress.end()
  }
}

/** The exit code if some rows were not recorded. */
const ROWS_REFUSED = 2

/** `command` is its name in the usage, such as `npx billing-data-api import`. */
export const importMain = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  runCommand(
    {
      name: 'import',
      usage: importUsage(command),
      // 2 means that some rows were not recorded.
      misuse: 1,
      run: async (commandArgs) => {
        if (asksForRecipes(commandArgs)) return console.log(termList(recipes))
        const counts = await runImport(commandArgs, { env, input: process.stdin, screen: process.stderr })
        console.log(JSON.stringify(counts))
        if (refusedRows(counts) > 0) process.exitCode = ROWS_REFUSED
      },
    },
    args,
  )
