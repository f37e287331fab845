import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { pipeline as piped } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { StartError } from '../local/settings.ts'
import { UsageError } from '../operator/command.ts'
import { csvRows } from './csv.ts'
import { ndjsonRows } from './ndjson.ts'
import type { Row } from './row.ts'
import { recurrencesIn } from './stripe.ts'
import { stripeObjects, stripeRows } from './stripe-rows.ts'
import type { Json } from './stripe-values.ts'

const CHUNK_BYTES = 256 * 1024

/** How files are written. */
export const formats = ['ndjson', 'csv', 'stripe'] as const
export type Format = (typeof formats)[number]

/** Something to import, read anew in each pass. */
export interface Source {
  /** As it was named; `-` is standard input. */
  readonly file: string
  rows(): AsyncIterable<Row>
}

/** What is to be imported, and what lets go of it in the end. */
export interface Sources {
  readonly all: readonly Source[]
  close(): Promise<void>
}

/** The bytes of a file, unpacked where its name ends in `.gz`. */
async function* bytesOf(file: string, path: string): AsyncGenerator<Buffer> {
  const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  if (!file.endsWith('.gz')) return yield* bytes
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES })
  // A fault of either ends the other, which tells it.
  pipeline(bytes, unpacked, () => undefined)
  yield* unpacked
}

/** What a file holds; throws StartError, in a line, where it cannot be read. */
async function* told<T>(file: string, contents: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* contents
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`cannot read "${file}": ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
}

const formatOf = (file: string): Format => (/\.csv(\.gz)?$/i.test(basename(file)) ? 'csv' : 'ndjson')

/** Copies standard input to a file, since it can be read only once. */
const spill = async (input: NodeJS.ReadableStream): Promise<{ path: string; close(): void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'billing-import-'))
  const path = join(folder, 'standard-input')
  const close = () => rmSync(folder, { recursive: true, force: true })
  try {
    await piped(input, createWriteStream(path, { mode: 0o600 }))
    return { path, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Opens the files, in `format` or that of their names. Throws UsageError where two are one. */
export const openSources = (
  files: readonly string[],
  format: Format | undefined,
  input: NodeJS.ReadableStream,
): Sources => {
  const twice = files.find((file, index) => files.indexOf(file) !== index)
  if (twice !== undefined) throw new UsageError(`"${twice}" is named twice`)
  let spilt: ReturnType<typeof spill> | undefined
  async function* bytes(file: string) {
    if (file === '-') spilt ??= spill(input)
    yield* bytesOf(file, file === '-' ? (await spilt!).path : file)
  }
  const recurrences = new Map<string, Json>()
  const learn = async (): Promise<void> => {
    for (const file of files)
      for await (const object of told(file, stripeObjects(bytes(file))))
        for (const [id, recurrence] of recurrencesIn(object)) recurrences.set(id, recurrence)
  }
  let learned: Promise<void> | undefined
  const readers: Readonly<Record<Format, (file: string) => AsyncIterable<Row>>> = {
    ndjson: (file) => ndjsonRows(file, bytes(file)),
    csv: (file) => csvRows(file, bytes(file)),
    // Lines of invoices name prices, which may stand in any of the files.
    stripe: async function* (file) {
      learned ??= learn()
      await learned
      yield* stripeRows(file, bytes(file), recurrences)
    },
  }
  const all = files.map((file) => ({
    file,
    rows: () => told(file, readers[format ?? formatOf(file)](file)),
  }))
  return { all, close: async () => (await spilt)?.close() }
}
