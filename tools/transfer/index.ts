import { Readable } from 'node:stream'
import { addressFrom } from '../operator/command.ts'
import { httpTarget } from './http-target.ts'
import { type Input, importFrom, MAX_CONCURRENCY } from './import.ts'
import type { ImportCounts, ImportFilesOptions, ImportOptions, ImportRow } from './options.ts'

export type * from './options.ts'

const importWith = (
  input: Input,
  { baseUrl, appId, apiKey, ...settings }: ImportFilesOptions,
): Promise<ImportCounts> => {
  for (const [name, value] of Object.entries({ baseUrl, appId, apiKey }))
    if (!value) throw new TypeError(`${name} is missing`)
  const { concurrency = 1 } = settings
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw new RangeError(`concurrency must be an integer from 1 to ${MAX_CONCURRENCY} (got ${concurrency})`)
  const access = { baseUrl: addressFrom('baseUrl', baseUrl), appId, apiKey }
  return importFrom(input, async () => httpTarget(access), settings)
}

/**
 * Imports files of NDJSON, CSV or Stripe's objects; a name that ends in `.gz` is unpacked. Files and rows may be in any
 * order: what others refer to is sent first. Running it again records nothing twice. Resolves when every row has ended;
 * rejects with one sentence when it cannot go on, for example without an answer for ten minutes, and may be run again.
 */
export const importFiles = async (
  files: readonly string[],
  options: ImportFilesOptions,
): Promise<ImportCounts> => importWith({ files, input: Readable.from([]) }, options)

async function* linesOf(rows: AsyncIterable<ImportRow> | Iterable<ImportRow>): AsyncGenerator<Buffer> {
  for await (const { type, data, ...more } of rows)
    yield Buffer.from(`${JSON.stringify({ type, data, ...more })}\n`)
}

/**
 * Imports rows that a program makes, such as those of a query. They are kept in a temporary file, not in memory, since
 * they are sent in several passes. Everything else is as for `importFiles`; the rows' file is `-`.
 */
export const importRows = async (
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
  options: ImportOptions,
): Promise<ImportCounts> => {
  const input = Readable.from(linesOf(rows), { objectMode: false })
  return importWith({ files: ['-'], input }, { ...options, format: 'ndjson' })
}
