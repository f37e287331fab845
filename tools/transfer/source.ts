import { randomUUID } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, openSync, statSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { pipeline as pipelineEnd } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { StartError } from '../local/settings.ts'
import { UsageError } from '../operator/command.ts'
import { type CsvFiles, openCsv } from './csv.ts'
import { csvRecords } from './csv-file.ts'
import type { ColumnNames } from './csv-tables.ts'
import { textBytes } from './file-kinds.ts'
import { ndjsonRows } from './ndjson.ts'
import { withOneOffs } from './one-off.ts'
import type { Row } from './row.ts'
import { readAccount, type StripeAccount, type StripeOptions, stripeRows } from './stripe-rows.ts'

const CHUNK_BYTES = 256 * 1024

export const formats = ['ndjson', 'csv', 'stripe'] as const
export type Format = (typeof formats)[number]

/** A file to import. Each pass reads it anew. */
export interface Source {
  readonly file: string
  rows(): AsyncIterable<Row>
}

/** The options for reading files besides their format. */
export interface Reading {
  readonly input: NodeJS.ReadableStream
  /** For CSV. */
  readonly columns: ColumnNames
  /** For Stripe, and `recordsOneOffs` for all formats. */
  readonly accepted: StripeOptions
}

/** All files to import. */
export interface Sources {
  readonly all: readonly Source[]
  /** Registers a recorded row, to which later rows may refer. */
  recorded(row: Row): Promise<void>
  /** Deletes temporary files. */
  close(): Promise<void>
}

/** Yields the bytes of a file, unpacked if its name ends in `.gz`. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  // A pipe can be read only once.
  if (!statSync(file).isFile()) throw new Error('it is not a file; "-" reads standard input')
  const bytes = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (!file.endsWith('.gz')) return yield* bytes
  // An error of either stream destroys the other, which then throws.
  yield* pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
}

/** Converts errors of reading a file to a StartError that names the file. */
async function* naming<T>(file: string, contents: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* contents
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`cannot read "${file}": ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
}

const formatOf = (file: string): Format => (/\.csv(\.gz)?$/i.test(basename(file)) ? 'csv' : 'ndjson')

/**
 * Copies a stream, which can be read only once, to a temporary file. Returns its descriptor. The file has no name, so that
 * it is removed however the process ends.
 */
const copyToFile = async (input: NodeJS.ReadableStream): Promise<number> => {
  const path = join(tmpdir(), `billing-import-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  await pipelineEnd(input, createWriteStream(path, { fd, autoClose: false }))
  return fd
}

/** Opens files in `format`, or in the formats of their names. Throws UsageError for a file that is named twice. */
export const openSources = (
  files: readonly string[],
  format: Format | undefined,
  { input, columns, accepted }: Reading,
): Sources => {
  const twice = files.find((file, index) => files.indexOf(file) !== index)
  if (twice !== undefined) throw new UsageError(`"${twice}" is named twice`)
  let copied: ReturnType<typeof copyToFile> | undefined
  async function* packed(file: string) {
    if (file !== '-') return yield* bytesOf(file)
    copied ??= copyToFile(input)
    const options = { fd: await copied, start: 0, autoClose: false, highWaterMark: CHUNK_BYTES }
    yield* createReadStream(file, options)
  }
  const bytes = (file: string) => textBytes(packed(file))
  const formatFor = (file: string) => format ?? formatOf(file)
  const csvFiles = files.filter((file) => formatFor(file) === 'csv')
  let csv: Promise<CsvFiles> | undefined
  let account: Promise<StripeAccount> | undefined
  const readers: Readonly<Record<Format, (file: string) => AsyncIterable<Row>>> = {
    ndjson: (file) => ndjsonRows(file, bytes(file)),
    csv: async function* (file) {
      csv ??= openCsv(csvFiles, (each) => naming(each, csvRecords(bytes(each))), columns)
      yield* (await csv).rows(file)
    },
    stripe: async function* (file) {
      account ??= readAccount(files, (each) => naming(each, bytes(each)), accepted)
      yield* stripeRows(file, bytes(file), await account)
    },
  }
  async function* rowsOf(file: string): AsyncGenerator<Row> {
    for await (const row of readers[formatFor(file)](file)) yield withOneOffs(row, accepted.recordsOneOffs)
  }
  const all = files.map((file) => ({ file, rows: () => naming(file, rowsOf(file)) }))
  const recorded = async (row: Row): Promise<void> => (await account)?.recorded(row)
  const close = async (): Promise<void> => {
    // A failure to open has been reported by reading.
    const [copy, read, tables] = await Promise.allSettled([copied, account, csv])
    if (copy.status === 'fulfilled' && copy.value !== undefined) closeSync(copy.value)
    if (read.status === 'fulfilled') read.value?.close()
    if (tables.status === 'fulfilled') tables.value?.close()
  }
  return { all, recorded, close }
}
