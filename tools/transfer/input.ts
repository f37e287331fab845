import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../cli/command.ts'

const SAVE_AS_CSV =
  'in Excel, choose "File > Save As > CSV UTF-8 (Comma delimited)"; in LibreOffice, "File > Save As > Text CSV" with the character set "Unicode (UTF-8)"'

/** With advice for the most likely cause. `place` is that of the first wrong byte, such as `byte 2 of line 5`. */
export const notUtf8 = (place: string): Error =>
  new Error(
    `it must be UTF-8, and ${place} is not; it may be ANSI, which Excel writes as "CSV (Comma delimited)": ${SAVE_AS_CSV}`,
  )

interface OtherFormat {
  /** Its files begin with one of these. */
  readonly signatures: readonly (readonly number[])[]
  /** `start` is the first chunk of the file. */
  readonly problem: (start: Buffer) => string
}

/** The offsets in a ZIP archive, in bytes, of the length of its first file's name and of that name. */
const ZIP_NAME_LENGTH_AT = 26
const ZIP_NAME_AT = 30

/** Empty if `start` does not contain it. */
const firstNameInZip = (start: Buffer): string => {
  if (start.length < ZIP_NAME_AT) return ''
  return start.toString('utf8', ZIP_NAME_AT, ZIP_NAME_AT + start.readUInt16LE(ZIP_NAME_LENGTH_AT))
}

/** The first files of such archives begin with one of these. */
const workbookFiles = ['[Content_Types].xml', 'mimetype', '_rels/', 'xl/', 'docProps/']

const zipProblem = (start: Buffer): string => {
  const name = firstNameInZip(start)
  return name === '' || workbookFiles.some((start) => name.startsWith(start))
    ? `it is a ZIP archive, such as a workbook of Excel (.xlsx) or LibreOffice (.ods): ${SAVE_AS_CSV}`
    : `it is a ZIP archive of files such as "${name}": unpack it`
}

/** Formats that users often mistake for text in UTF-8. */
const otherFormats: readonly OtherFormat[] = [
  { signatures: [[0x50, 0x4b, 0x03, 0x04]], problem: zipProblem },
  {
    signatures: [[0xd0, 0xcf, 0x11, 0xe0]],
    problem: () => `it is a workbook of an old Excel version (.xls): ${SAVE_AS_CSV}`,
  },
  {
    signatures: [[0x1f, 0x8b]],
    problem: () => 'it is compressed with gzip, so its name must end in .gz',
  },
  {
    signatures: [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ],
    problem: () =>
      `it is UTF-16, which Excel writes as "Unicode Text" and Windows PowerShell with ">": ${SAVE_AS_CSV}; in PowerShell, end the command with "| Out-File -Encoding utf8 FILE"`,
  },
]

const startsWith = (chunk: Buffer, signature: readonly number[]): boolean =>
  signature.every((byte, index) => chunk[index] === byte)

/** Throws Error with advice for a file that begins like one in another format. */
async function* requireText(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of stream) {
    if (isFirst) {
      const format = otherFormats.find(({ signatures }) =>
        signatures.some((signature) => startsWith(chunk, signature)),
      )
      if (format) throw new Error(format.problem(chunk))
    }
    isFirst = false
    yield chunk
  }
}

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

/** Turns any error into a CommandError that names the file. */
export async function* nameFileInErrors<T>(file: string, contents: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* contents
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const [reason] = (cause as Error).message.split('\n')
    throw new CommandError(`cannot read "${file}": ${reason}`, { cause })
  }
}
