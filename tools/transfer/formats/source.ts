import { basename } from 'node:path'
import { UsageError } from '../../cli/command.ts'
import { namingFile, readInput } from '../input.ts'
import type { Draft } from '../row.ts'
import { csvRecords } from './csv/csv-file.ts'
import { csvDrafts } from './csv/csv-rows.ts'
import type { CsvOptions } from './csv/csv-table.ts'
import { ndjsonDrafts } from './ndjson.ts'
import { withOneOff } from './one-off.ts'
import type { Accepted } from './stripe/fields.ts'
import { stripeDrafts } from './stripe/stripe-rows.ts'

/** The formats of files, as values of `--from`. */
export const formats = ['ndjson', 'csv', 'stripe'] as const
export type Format = (typeof formats)[number]

/** The files of an import, and how to read them. */
export interface ReadOptions extends CsvOptions {
  /** `-` stands for `input`. */
  readonly files: readonly string[]
  /** By default `csv` for names that end in `.csv` or `.tsv`, also with `.gz`; `ndjson` for all others. */
  readonly format: Format | undefined
  readonly input: NodeJS.ReadableStream
  /** What to accept; all but `recordsOneOffs` only concern Stripe. */
  readonly accepted: Accepted
}

const formatOf = (file: string): Format => (/\.[ct]sv(\.gz)?$/i.test(basename(file)) ? 'csv' : 'ndjson')

/** Throws UsageError for a repeated file, and for an option that concerns no file. */
const checkFiles = (
  { files, notation, columns, empty }: ReadOptions,
  formatFor: (file: string) => Format,
): void => {
  const repeated = files.find((file, index) => files.indexOf(file) !== index)
  if (repeated !== undefined) throw new UsageError(`"${repeated}" is named twice`)
  if (files.some((file) => formatFor(file) === 'csv')) return
  const given: Record<string, boolean> = {
    decimal: notation.decimal !== undefined,
    dates: notation.dates !== undefined,
    zone: notation.zone !== undefined,
    empty: empty.size > 0,
    set: columns.constants.size > 0,
    'leave-out': columns.leavesOutUnknown,
  }
  const [unused] = Object.keys(given).filter((option) => given[option])
  if (unused) throw new UsageError(`--${unused} is for CSV files, and there is none`)
}

/**
 * Yields the rows of all files, each of which is read once: as its bytes come, or once all files of its format are read, where
 * rows depend on others. Throws UsageError for a repeated file, and CommandError for a file that cannot be read.
 */
export async function* readDrafts(options: ReadOptions): AsyncGenerator<Draft> {
  const { files, format, input, accepted } = options
  const formatFor = (file: string) => format ?? formatOf(file)
  checkFiles(options, formatFor)
  const filesOf = (wanted: Format) => files.filter((file) => formatFor(file) === wanted)
  const bytesOf = (file: string) => readInput(file, input)
  async function* drafts() {
    const csv = filesOf('csv').map((file) => ({
      file,
      records: namingFile(file, csvRecords(bytesOf(file), options.empty)),
    }))
    if (csv.length > 0) yield* csvDrafts(csv, options)
    for (const file of filesOf('ndjson')) yield* namingFile(file, ndjsonDrafts(file, bytesOf(file)))
    const stripe = filesOf('stripe')
    if (stripe.length > 0) yield* stripeDrafts(stripe, bytesOf, accepted)
  }
  for await (const draft of drafts()) yield withOneOff(draft, accepted.recordsOneOffs)
}
