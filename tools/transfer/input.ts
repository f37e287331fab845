import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../cli/command.ts'
import { textBytes } from './file-kinds.ts'

const CHUNK_BYTES = 256 * 1024

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const bytes = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (!file.endsWith('.gz')) return yield* bytes
  // If either stream fails, the pipeline destroys the other, which then throws the error.
  yield* pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
}

async function* buffersOf(input: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of input) yield Buffer.from(chunk)
}

/**
 * Yields the bytes of a text file or pipe, unpacked if its name ends in `.gz`, or those of `input` for "-". Throws Error for a file
 * that cannot be read or is no text.
 */
export const readInput = (file: string, input: NodeJS.ReadableStream): AsyncGenerator<Buffer> =>
  textBytes(file === '-' ? buffersOf(input) : bytesOf(file))

/** Yields the contents of a file. Throws CommandError with the name of the file if it cannot be read. */
export async function* namingFile<T>(file: string, contents: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* contents
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`cannot read "${file}": ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
}
