import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { StartError } from '../local/settings.ts'
import { UsageError } from '../operator/command.ts'
import { ndjsonRows } from './ndjson.ts'
import type { Row } from './row.ts'

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
  close(): void
}

/** The bytes of a file, unpacked where its name ends in `.gz`. */
async function* bytesOf(file: string, path: string): AsyncGenerator<Buffer> {
  try {
    const bytes = createReadStream(path, { highWaterMark: 256 * 1024 })
    if (!file.endsWith('.gz')) yield* bytes
    else {
      const unpacked = createGunzip({ chunkSize: 256 * 1024 })
      const done = pipeline(bytes, unpacked)
      // Told where it is awaited, below.
      done.catch(() => undefined)
      yield* unpacked
      await done
    }
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`cannot read "${file}": ${(cause as Error).message}`, { cause })
  }
}

const formatOf = (file: string): Format => (/\.csv(\.gz)?$/i.test(basename(file)) ? 'csv' : 'ndjson')

const rowsOf: Readonly<Record<string, (file: string, bytes: AsyncIterable<Buffer>) => AsyncIterable<Row>>> = {
  ndjson: ndjsonRows,
}

/** Copies standard input to a file, since it can be read only once. */
const spill = async (input: NodeJS.ReadableStream): Promise<{ path: string; close(): void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'billing-import-'))
  const path = join(folder, 'standard-input')
  const close = () => rmSync(folder, { recursive: true, force: true })
  try {
    await pipeline(input, createWriteStream(path, { mode: 0o600 }))
    return { path, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Opens the files, in `format` or that of their names. Throws UsageError where two are one. */
export const openSources = async (
  files: readonly string[],
  format: Format | undefined,
  input: NodeJS.ReadableStream,
): Promise<Sources> => {
  const twice = files.find((file, index) => files.indexOf(file) !== index)
  if (twice !== undefined) throw new UsageError(`"${twice}" is named twice`)
  const spilt = files.includes('-') ? await spill(input) : undefined
  const all = files.map((file) => ({
    file,
    rows: () => rowsOf[format ?? formatOf(file)]!(file, bytesOf(file, file === '-' ? spilt!.path : file)),
  }))
  return { all, close: () => spilt?.close() }
}
