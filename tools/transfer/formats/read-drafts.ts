import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../../cli/command.ts'
import type { Draft } from '../draft.ts'
import { nameFileInErrors, readInput } from '../input.ts'
import { readCsvDrafts } from './csv/csv-drafts.ts'
import { readCsvRecords } from './csv/csv-records.ts'
import type { CsvOptions } from './csv/sheet.ts'
import { readNdjsonDrafts } from './ndjson.ts'
import { withOneOffSubscription } from './one-off.ts'
import type { AcceptanceOptions } from './stripe/mapping-context.ts'
import { readStripeDrafts } from './stripe/stripe-drafts.ts'

/** The formats of files, as values of `--from`. */
export const formats = ['ndjson', 'csv', 'stripe'] as const
export type Format = (typeof formats)[number]

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
    decimal: notation.decimal !== undefined,
    dates: notation.dates !== undefined,
    zone: notation.zone !== undefined,
    ends: notation.ends !== undefined,
    empty: empty.size > 0,
    map: columns.fields.size > 0,
    set: columns.constants.size > 0,
    'leave-out': columns.leavesOutUnknown,
  }
  const unused = Object.keys(isGiven).find((option) => isGiven[option])
  if (unused !== undefined) throw new UsageError(`--${unused} concerns only CSV files, and there are none`)
}

/** Yields the rows of all files, format by format. Each file is read once. */
async function* readAll(options: ReadOptions, database: DatabaseSync): AsyncGenerator<Draft> {
  const { files, format, input, empty, accepted } = options
  const byFormat = Map.groupBy(files, (file) => format ?? defaultFormat(file))
  const bytesOf = (file: string) => readInput(file, input)
  const sheets = (byFormat.get('csv') ?? []).map((file) => ({
    file,
    records: nameFileInErrors(file, readCsvRecords(bytesOf(file), empty)),
  }))
  if (sheets.length > 0) yield* readCsvDrafts(sheets, options, database)
  else refuseCsvOptions(options)
  for (const file of byFormat.get('ndjson') ?? [])
    yield* nameFileInErrors(file, readNdjsonDrafts(file, bytesOf(file)))
  const stripeFiles = byFormat.get('stripe') ?? []
  if (stripeFiles.length > 0) yield* readStripeDrafts(stripeFiles, bytesOf, accepted, database)
}

/**
 * Yields the rows of all files. Each file is read once: rows are yielded as its bytes arrive or, where rows depend on each other,
 * once all files of its format have been read. Throws UsageError for a file that is named twice or an option that concerns none of
 * the files, and CommandError for a file that cannot be read.
 */
export async function* readDrafts(options: ReadOptions, database: DatabaseSync): AsyncGenerator<Draft> {
  requireDistinct(options.files)
  for await (const draft of readAll(options, database))
    yield withOneOffSubscription(draft, options.accepted.recordsOneOffs)
}
