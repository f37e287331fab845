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

const utf16Problem = (): string =>
  `it is UTF-16, which Excel writes as "Unicode Text" and Windows PowerShell with ">": ${SAVE_AS_CSV}; in PowerShell, end the command with "| Out-File -Encoding utf8 FILE"`

/** The beginnings of formats that users often mistake for text in UTF-8. Their problem is a function of the first chunk of the file. */
const otherFormats: readonly (readonly [signature: string, problem: (start: Buffer) => string])[] = [
  ['504b0304', zipProblem],
  ['d0cf11e0', () => `it is a workbook of an old Excel version (.xls): ${SAVE_AS_CSV}`],
  ['1f8b', () => 'it is compressed with gzip, so its name must end in .gz'],
  ['fffe', utf16Problem],
  ['feff', utf16Problem],
]

/** Throws Error with advice for a file that begins like one in another format. */
async function* requireText(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of stream) {
    if (isFirst) {
      const start = chunk.toString('hex', 0, 4)
      for (const [signature, problemOf] of otherFormats)
        if (start.startsWith(signature)) throw new Error(problemOf(chunk))
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

/** The maximum length of a line, four times the size limit of a request body. A longer line is not kept in memory. */
export const MAX_LINE_BYTES = 1024 * 1024

const LINE_FEED = 0x0a

/** Without their line feeds. Yields undefined for a line of more than 1 MiB. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  /** The parts of the current line, which may arrive in several chunks; none if it is too long. */
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length > MAX_LINE_BYTES) parts = []
    else parts.push(part)
  }
  const take = (): Buffer | undefined => {
    const line = length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
