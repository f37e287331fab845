import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { invalidBytePosition } from '../../../../shared/http/body.ts'
import { MAX_LINE_BYTES, notUtf8, readLines } from '../../input.ts'

/** A cell without quotes whose text other programs write for "no value", such as `NULL`. */
export interface Placeholder {
  readonly placeholder: string
}

export type CsvCell = string | Placeholder

/** Empty for a placeholder. */
export const textOfCell = (cell: CsvCell | undefined): string => (typeof cell === 'string' ? cell : '')

export interface CsvRecord {
  readonly cells: readonly CsvCell[]
  /** The 1-based number of its first line in the file. */
  readonly line: number
  /** Whether the file ends in this record, without a line end. */
  readonly isUnterminated: boolean
}

/** The texts that databases and programs write for "no value". */
const placeholders: ReadonlySet<string> = new Set(['NULL', 'null', '\\N', 'NaN', 'None', '#N/A'])

/** A cell without quotes that contains a carriage return, which is invisible and ends a record in other programs. */
const LONE_RETURN: Placeholder = { placeholder: 'CR' }

const LINE_FEED = 0x0a

/** Throws Error for a line that is not UTF-8 or too long. */
async function* readTextLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let number = 0
  for await (const line of readLines(stream)) {
    number += 1
    if (!line) throw new Error(`line ${number} is longer than ${MAX_LINE_BYTES} bytes`)
    if (!isUtf8(line)) throw notUtf8(`byte ${invalidBytePosition(line)} of line ${number}`)
    yield line.toString()
  }
}

/** Excel writes semicolons where the decimal separator is a comma. */
const delimiterOf = (header: string): string => {
  const count = (delimiter: string) => header.split(delimiter).length - 1
  const [mostFrequent] = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))
  return mostFrequent!
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0

const QUOTE_ADVICE = 'write the whole cell in quotes, and each quote within it twice, such as "5"" pipe"'

/** The problems with the quotes of a record, by the code of the parser's error. */
const quoteProblems: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote (") in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'has text after the quote (") that ends a cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'has text after the quote (") that ends a cell',
  CSV_QUOTE_NOT_CLOSED: 'has an unclosed quote (")',
  CSV_MAX_RECORD_SIZE: `is longer than ${MAX_LINE_BYTES} bytes, perhaps because of an unclosed quote (")`,
}

/** The number of columns that an Excel sheet can have. */
const MAX_COLUMNS = 16_384

const recordReader = () => {
  /** The line in which the last record ends. */
  let lastLine = 0
  /** By how much the parser's count of lines exceeds the number of lines of the file. */
  let extraLines = 0
  return {
    /** `parsedLines` is the number of lines read so far, as the parser counts them. */
    read: (cells: readonly CsvCell[], parsedLines: number): CsvRecord => {
      if (cells.includes(LONE_RETURN))
        throw new Error(
          `line ${lastLine + 1} has a carriage return (CR) within a cell, while other lines end with a line feed (LF): save the file with only one kind of line end`,
        )
      if (cells.length > MAX_COLUMNS)
        throw new Error(`line ${lastLine + 1} has ${cells.length} columns, more than ${MAX_COLUMNS}`)
      const text = cells.map(textOfCell).join()
      // Within quotes, the parser counts CRLF as two lines.
      extraLines += text.split('\r\n').length - 1
      lastLine = parsedLines - extraLines
      return { cells, line: lastLine - lineBreaksIn(text), isUnterminated: false }
    },
    /** Errors that are not of the parser are unchanged. */
    explain: (error: unknown): unknown => {
      const problem = error instanceof CsvError ? quoteProblems[error.code] : undefined
      if (problem === undefined) return error
      return new Error(`the record that begins in line ${lastLine + 1} ${problem}: ${QUOTE_ADVICE}`, {
        cause: error,
      })
    },
  }
}

/** A cell without quotes whose text is in `empty` is read as empty. */
const parserFor = (header: string, empty: ReadonlySet<string>, reader: ReturnType<typeof recordReader>) => {
  // Before 2001, Macs ended lines with a carriage return alone.
  const isOldMac = /\r(?!$)/.test(header)
  const options: Options<CsvRecord, CsvCell[]> = {
    bom: true,
    delimiter: delimiterOf(header),
    record_delimiter: isOldMac ? ['\r', '\n'] : ['\r\n', '\n'],
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    cast: (text, { quoting }) => {
      if (quoting) return text
      if (text.includes('\r')) return LONE_RETURN
      if (empty.has(text)) return ''
      return placeholders.has(text) ? { placeholder: text } : text
    },
    on_record: (cells, { lines }) => reader.read(cells, lines),
  }
  // The types of csv-parse allow other records than lists of texts only for files with named columns.
  return parse(options as unknown as Options)
}

const refuseSeparatorLine = (line: string): void => {
  const text = line.replace('\uFEFF', '').trimEnd()
  if (/^sep=/i.test(text))
    throw new Error(
      `line 1 is "${text}", which only Excel understands and which is not part of the table: delete this line`,
    )
}

/**
 * Yields the records of a CSV file, the header first. Skips records whose cells are all empty. A cell without quotes whose text is
 * in `empty` is read as empty. Throws Error for a file that is not valid CSV in UTF-8.
 */
export async function* readCsvRecords(
  stream: AsyncIterable<Buffer>,
  empty: ReadonlySet<string>,
): AsyncGenerator<CsvRecord> {
  let lastByte = LINE_FEED
  async function* bytes() {
    for await (const chunk of stream) {
      lastByte = chunk.at(-1) ?? lastByte
      yield chunk
    }
  }
  const lines = readTextLines(bytes())
  const { value: header = '' } = await lines.next()
  refuseSeparatorLine(header)
  async function* texts() {
    yield `${header}\n`
    for await (const line of lines) yield `${line}\n`
  }
  const reader = recordReader()
  const parser = parserFor(header, empty, reader)
  // If reading the text fails, the pipeline destroys the parser, which then throws the error.
  const records: AsyncIterable<CsvRecord> = pipeline(texts(), parser, () => undefined)
  // A record is yielded when the next one is read, because only the last one can be unterminated.
  let pending: CsvRecord | undefined
  try {
    for await (const record of records) {
      if (record.cells.every((cell) => cell === '')) continue
      if (pending) yield pending
      pending = record
    }
  } catch (error) {
    throw reader.explain(error)
  }
  if (pending) yield { ...pending, isUnterminated: lastByte !== LINE_FEED }
}
