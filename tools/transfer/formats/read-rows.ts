import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../shared/contract/schema.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { UsageError } from '../../cli/command.ts'
import { nameFileInErrors, readInput } from '../input.ts'
import { toDouble } from '../lossless-json.ts'
import { invalid, type Row } from '../row.ts'
import { readCsvRecords } from './csv/csv-records.ts'
import { readCsvRows } from './csv/csv-rows.ts'
import { notationNames } from './csv/notation.ts'
import type { CsvOptions } from './csv/sheet.ts'
import { readNdjsonRows } from './ndjson.ts'
import type { AcceptanceOptions } from './stripe/mapping-context.ts'
import { readStripeRows } from './stripe/stripe-rows.ts'

/** As values of `--from`. */
export const fileFormats = ['ndjson', 'csv', 'stripe'] as const
export type Format = (typeof fileFormats)[number]

/** The files of an import, and how to read them. */
export interface ReadOptions extends CsvOptions {
  /** The names of the files; `-` stands for `input`. */
  readonly files: readonly string[]
  /** By default `csv` for names that end in `.csv` or `.tsv`, also with `.gz`, and `ndjson` for all others. */
  readonly format: Format | undefined
  readonly input: NodeJS.ReadableStream
  /** What the user accepts. All members except `recordsOneOffs` concern only Stripe. */
  readonly accepted: AcceptanceOptions
}

const defaultFormat = (file: string): Format => (/\.[ct]sv(\.gz)?$/i.test(basename(file)) ? 'csv' : 'ndjson')

const requireDistinct = (files: readonly string[]): void => {
  const repeated = files.find((file, index) => files.indexOf(file) !== index)
  if (repeated !== undefined) throw new UsageError(`"${repeated}" is named twice`)
}

/** Throws UsageError for an option that concerns only CSV files, because there are none. */
const refuseCsvOptions = ({ notation, columns, empty }: CsvOptions): void => {
  const isGiven: Readonly<Record<string, boolean>> = {
    ...Object.fromEntries(notationNames.map((name) => [name, notation[name] !== undefined])),
    empty: empty.size > 0,
    map: columns.fields.size > 0,
    set: columns.constants.size > 0,
    only: columns.conditions.size > 0,
    'leave-out': columns.leavesOutUnknown,
  }
  const unused = Object.keys(isGiven).find((option) => isGiven[option])
  if (unused !== undefined) throw new UsageError(`--${unused} concerns only CSV files, and there are none`)
}

/** Yields the rows of all files, format by format. Each file is read once. */
async function* readAll(options: ReadOptions, database: DatabaseSync): AsyncGenerator<Row> {
  const { files, format, input, empty, accepted } = options
  const byFormat = Map.groupBy(files, (file) => format ?? defaultFormat(file))
  const bytesOf = (file: string) => readInput(file, input)
  const sheets = (byFormat.get('csv') ?? []).map((file) => ({
    file,
    records: nameFileInErrors(file, readCsvRecords(bytesOf(file), empty)),
  }))
  if (sheets.length > 0) yield* readCsvRows(sheets, options, database)
  else refuseCsvOptions(options)
  for (const file of byFormat.get('ndjson') ?? [])
    yield* nameFileInErrors(file, readNdjsonRows(file, bytesOf(file)))
  const stripeFiles = byFormat.get('stripe') ?? []
  if (stripeFiles.length > 0) yield* readStripeRows(stripeFiles, bytesOf, accepted, database)
}

const ADVICE =
  'If the invoice belongs to no subscription, --one-off records it under the subscription "one-off:CUSTOMER".'
const HAS_RECURRING_LINE =
  'An invoice without subscription_id must not have a recurring line: add the id of its subscription.'

const isRecurring = (line: unknown): boolean => isRecord(line) && line.type === 'recurring'

/**
 * Gives an invoice that has no subscription that of its customer's one-off invoices, or advice if the user does not allow that. The
 * invoice must not have a recurring line, so that such a subscription never counts as active.
 */
const withOneOffSubscription = (row: Row, isAllowed: boolean): Row => {
  const { type, data, result, hints = [] } = row
  if (type !== invoice.name || result || !isRecord(data)) return row
  const { subscription_id, customer_id, line_items } = data
  if (subscription_id !== undefined && subscription_id !== null) return row
  if (!isAllowed) return { ...row, hints: [...hints, ADVICE] }
  if (Array.isArray(line_items) && line_items.some(isRecurring))
    return { ...row, result: invalid(HAS_RECURRING_LINE) }
  return { ...row, data: { ...data, subscription_id: `one-off:${toDouble(customer_id)}` } }
}

/**
 * Yields the rows of all files. Each file is read once: rows are yielded as its bytes arrive or, where rows depend on each other,
 * once all files of its format have been read. Throws UsageError for a file that is named twice or an option that concerns none of
 * the files, and CommandError for a file that cannot be read.
 */
export async function* readRows(options: ReadOptions, database: DatabaseSync): AsyncGenerator<Row> {
  requireDistinct(options.files)
  for await (const row of readAll(options, database))
    yield withOneOffSubscription(row, options.accepted.recordsOneOffs)
}
