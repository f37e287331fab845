import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../cli/command.ts'
import { requireText } from './text-files.ts'

const CHUNK_BYTES = 256 * 1024

async function* readFile(file: string): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (!file.endsWith('.gz')) return yield* stream
  // If either stream fails, the pipeline destroys the other one, which then throws the error.
  yield* pipeline(stream, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
}

async function* readStream(input: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of input) yield Buffer.from(chunk)
}

/**
 * Yields the bytes of a text file or pipe, or those of `input` if the name is "-". Decompresses a file whose name ends in `.gz`.
 * Throws Error if the file cannot be read or is not a text file.
 */
export const readInput = (file: string, input: NodeJS.ReadableStream): AsyncGenerator<Buffer> =>
  requireText(file === '-' ? readStream(input) : readFile(file))

/** Yields the contents of a file. Turns any error into a CommandError that names the file. */
export async function* nameFileInErrors<T>(file: string, contents: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* contents
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const [reason] = (cause as Error).message.split('\n')
    throw new CommandError(`cannot read "${file}": ${reason}`, { cause })
  }
}
