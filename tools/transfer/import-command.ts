import { parseArgs } from 'node:util'
import { addressFrom, plainly, UsageError } from '../operator/command.ts'
import { openTable, requireTable } from '../operator/table.ts'
import { dryRun } from './dry-run.ts'
import { httpTarget } from './http-target.ts'
import { importRows } from './import.ts'
import { narrator, type Screen } from './narrator.ts'
import { type Format, formats, openSources } from './source.ts'
import { tableTarget } from './table-target.ts'
import type { Tally } from './tally.ts'
import type { Target } from './target.ts'

/** How the command is called. */
export const importUsage = `usage: npm run --silent import -- FILE… [OPTIONS]

Records what files hold. "-" is standard input; a name that ends in .gz is unpacked. Files and rows may stand in any
order: what is referred to is sent first. The same command again records nothing twice.

  --from FORMAT      ndjson: a line for each entity, {"type": "customer", "data": {…}}, the data as a create takes it
                     csv: a file for each noun, named after it (customers.csv); the header names the fields
                     stripe: objects of Stripe, single or in lists, as its API and its command line print them:
                     products, prices, customers, coupons, invoices with all their lines, expanded discounts
                     If not given: csv for names that end in .csv or .csv.gz, else ndjson.
  --dry-run          says how each row would end, and records nothing
  --report FILE      adds a line of JSON for each row; the same command again skips the rows that are recorded
  --concurrency N    the most requests at once, from 1 to 1000; 64 if not given. The pace below that finds itself.

  --url URL --app-id ID --api-key KEY
                     the API and the application; if not given, BILLING_URL, BILLING_APP_ID and BILLING_API_KEY of the
                     environment

  --app ID [--table TABLE --region REGION]
                     for operators: on the table itself, without a key; on the local one unless another is named

Prints a line of JSON: how many rows ended in which way. Ends with 0 when all rows are recorded, with 2 when some were
refused, with 1 when it could not go on.`

const text = { type: 'string' } as const
const options = {
  ...{ from: text, report: text, concurrency: text },
  ...{ url: text, 'app-id': text, 'api-key': text, app: text, table: text, region: text },
  'dry-run': { type: 'boolean' },
} as const

const MOST_AT_ONCE = 1_000
const AT_ONCE = 64
const PATIENCE_MILLIS = 600_000

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (cause) {
    throw new UsageError((cause as Error).message.split('. ')[0], { cause })
  }
}
type Values = ReturnType<typeof parse>['values']

const formatFrom = (name: string | undefined): Format | undefined => {
  if (name === undefined || (formats as readonly string[]).includes(name)) return name as Format | undefined
  throw new UsageError(`--from must be one of ${formats.join(', ')} (got "${name}")`)
}

const concurrencyFrom = (given = String(AT_ONCE)): number => {
  const number = /^\d{1,4}$/.test(given) ? Number(given) : 0
  if (number >= 1 && number <= MOST_AT_ONCE) return number
  throw new UsageError(`--concurrency must be a number from 1 to ${MOST_AT_ONCE} (got "${given}")`)
}

/** The target on the table, which is closed with it. */
const onTable = async (appId: string, { table, region }: Values, env: NodeJS.ProcessEnv): Promise<Target> => {
  requireTable({ table, region })
  const closeTable = await openTable({ table, region }, env)
  try {
    const target = await tableTarget(appId)
    const close = async () => {
      await target.close()
      await closeTable()
    }
    return { ...target, close }
  } catch (error) {
    await closeTable()
    throw plainly(error)
  }
}

const targetFrom = async (values: Values, env: NodeJS.ProcessEnv): Promise<Target> => {
  const { app, table, region } = values
  const stray = (['url', 'app-id', 'api-key'] as const).find((name) => values[name] !== undefined)
  if (app && stray) throw new UsageError(`--${stray} does not go with --app`)
  if (app) return onTable(app, values, env)
  if (table || region) throw new UsageError('--table goes with --app')
  const url = values.url ?? env.BILLING_URL
  const appId = values['app-id'] ?? env.BILLING_APP_ID
  const apiKey = values['api-key'] ?? env.BILLING_API_KEY
  if (!url || !appId || !apiKey)
    throw new UsageError(
      '--url, --app-id and --api-key are all needed, or BILLING_URL and so on in the environment',
    )
  return httpTarget({ baseUrl: addressFrom('--url', url), appId, apiKey })
}

/** What the command works with besides its arguments. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly input: NodeJS.ReadableStream
  readonly screen: Screen
}

/** Runs the command. Throws StartError where it could not go on. */
export const runImport = async (
  args: readonly string[],
  { env, input, screen }: Surroundings,
): Promise<Tally> => {
  const { values, positionals: files } = parse(args)
  if (files.length === 0) throw new UsageError('a file is missing, or - for standard input')
  const concurrency = concurrencyFrom(values.concurrency)
  const format = formatFrom(values.from)
  const dry = values['dry-run'] ?? false
  const { all, close } = openSources(files, format, input)
  const real = await targetFrom(values, env)
  const target = dry ? await dryRun(real) : real
  const tell = narrator(screen)
  try {
    const settings = { report: values.report, dryRun: dry, concurrency, patience: PATIENCE_MILLIS, ...tell }
    const tally = await importRows(all, target, settings)
    tell.ended(tally)
    return tally
  } finally {
    await close()
    await target.close()
  }
}
