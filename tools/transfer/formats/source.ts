import { randomUUID } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, openSync, statSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { pipeline as pipelineEnd } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CommandError, UsageError } from '../../cli/command.ts'
import { textBytes } from '../file-kinds.ts'
import type { Row } from '../row.ts'
import { type CsvOptions, csvRecords } from './csv/csv-file.ts'
import { openCsv } from './csv/csv-rows.ts'
import { ndjsonRows } from './ndjson.ts'
import { withOneOffs } from './one-off.ts'
import type { Accepted } from './stripe/mapping.ts'
import { readAccount, stripeObjects, stripeRows } from './stripe/stripe-rows.ts'

const CHUNK_BYTES = 256 * 1024

/** The formats of files, as values of `--from`. */
export const formats = ['ndjson', 'csv', 'stripe'] as const
export type Format = (typeof formats)[number]

/** A file to import. Each pass reads it again. */
export interface Source {
  readonly file: string
  rows(): AsyncIterable<Row>
}

/** How to read files, besides their formats. */
export interface ReadOptions extends CsvOptions {
  readonly input: NodeJS.ReadableStream
  /** What to accept; all but `recordsOneOffs` only concern Stripe. */
  readonly accepted: Accepted
}

export interface Sources {
  readonly all: readonly Source[]
  /** Must be called with each recorded row: later rows may refer to it. */
  recorded(row: Row): void
  close(): void
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  // A pipe can be read only once.
  if (!statSync(file).isFile()) throw new Error('it is not a file; "-" reads standard input')
  const bytes = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (!file.endsWith('.gz')) return yield* bytes
  // If either stream fails, the pipeline destroys the other, which then throws the error.
  yield* pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
}

/** Yields the content of a file. Throws CommandError with the name of the file if it cannot be read. */
async function* namingErrors<T>(file: string, contents: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* contents
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`cannot read "${file}": ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
}

const formatOf = (file: string): Format => (/\.csv(\.gz)?$/i.test(basename(file)) ? 'csv' : 'ndjson')

/**
 * Copies a stream, which can be read only once, to a temporary file, and returns its descriptor. The name of the file is
 * removed immediately, so that the system deletes the file however the process ends. Throws CommandError.
 */
const copyToFile = async (input: NodeJS.ReadableStream): Promise<number> => {
  const folder = tmpdir()
  const path = join(folder, `billing-import-${randomUUID()}`)
  try {
    const fd = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    await pipelineEnd(input, createWriteStream(path, { fd, autoClose: false }))
    return fd
  } catch (cause) {
    const { message } = cause as Error
    throw new CommandError(`cannot copy standard input to a file in "${folder}": ${message}`, { cause })
  }
}

/**
 * Opens files in `format` or, without it, in the formats of their names. Throws UsageError for a repeated file, and CommandError
 * for files that cannot be read.
 */
export const openSources = async (
  files: readonly string[],
  format: Format | undefined,
  { input, accepted, ...options }: ReadOptions,
): Promise<Sources> => {
  const repeated = files.find((file, index) => files.indexOf(file) !== index)
  if (repeated !== undefined) throw new UsageError(`"${repeated}" is named twice`)
  const formatFor = (file: string) => format ?? formatOf(file)
  const stdin = files.includes('-') ? await copyToFile(input) : undefined
  const stdinBytes = () =>
    createReadStream('-', { fd: stdin, start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })
  const bytes = (file: string) => textBytes(file === '-' ? stdinBytes() : bytesOf(file))
  const csvFiles = files.filter((file) => formatFor(file) === 'csv')
  const [unused] = Object.entries(options.notation).filter(([, value]) => value !== undefined)
  if (unused && csvFiles.length === 0)
    throw new UsageError(`--${unused[0]} is for CSV files, and there is none`)
  const csv = await openCsv(csvFiles, (file) => namingErrors(file, csvRecords(bytes(file))), options)
  const account =
    format === 'stripe'
      ? await readAccount(files, (file) => namingErrors(file, stripeObjects(bytes(file))), accepted)
      : undefined
  const readers: Readonly<Record<Format, (file: string) => AsyncIterable<Row>>> = {
    ndjson: (file) => ndjsonRows(file, bytes(file)),
    csv: (file) => csv.rows(file),
    stripe: (file) => stripeRows(file, bytes(file), account!),
  }
  async function* rowsOf(file: string): AsyncGenerator<Row> {
    for await (const row of readers[formatFor(file)](file)) yield withOneOffs(row, accepted.recordsOneOffs)
  }
  return {
    all: files.map((file) => ({ file, rows: () => namingErrors(file, rowsOf(file)) })),
    recorded: (row) => account?.recorded(row),
    close: () => {
      if (stdin !== undefined) closeSync(stdin)
      csv.close()
      account?.close()
    },
  }
}
