import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { invalidBytePosition } from '../../../../shared/http/body.ts'
import { notUtf8 } from '../../file-kinds.ts'
import { linesIn, MAX_BYTES } from '../../lines.ts'

/** A cell without quotes whose text other programs write for "no value", such as `NULL`. */
export interface Placeholder {
  readonly placeholder: string
}

export type CsvCell = string | Placeholder

/** Returns the text of a cell; empty for a placeholder. */
export const textOfCell = (cell: CsvCell | undefined): string => (typeof cell === 'string' ? cell : '')

export interface CsvRecord {
  readonly cells: readonly CsvCell[]
  readonly line: number
  /** Whether the file ends in this record, without the end of a line. */
  readonly isUnterminated: boolean
}

/** What databases and programs write for "no value". */
const placeholders: ReadonlySet<string> = new Set(['NULL', 'null', '\\N', 'NaN', 'None', '#N/A'])

/** A cell without quotes and with a carriage return, which nobody sees and other programs take as the end of a record. */
const LONE_RETURN: Placeholder = { placeholder: 'CR' }

const NEWLINE = 0x0a

async function* linesOfText(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let number = 0
  for await (const line of linesIn(stream)) {
    number += 1
    if (!line) throw new Error(`line ${number} is longer than ${MAX_BYTES} bytes`)
    if (!isUtf8(line)) throw notUtf8(`byte ${invalidBytePosition(line)} of line ${number}`)
    yield line.toString()
  }
}

/** Returns the most frequent delimiter of a header. Excel writes semicolons where the decimal separator is a comma. */
const delimiterOf = (header: string): string =>
  [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0

const QUOTE_ADVICE = 'write the whole cell in quotes, and each quote within it twice, such as "5"" pipe"'

/** What is wrong with the quotes of a record, by the code of the parser's error. */
const quoteProblems: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote (") in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'has text after the quote (") that ends a cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'has text after the quote (") that ends a cell',
  CSV_QUOTE_NOT_CLOSED: 'has an unclosed quote (")',
  CSV_MAX_RECORD_SIZE: `is longer than ${MAX_BYTES} bytes, perhaps because of an unclosed quote (")`,
}

/** As many columns as a sheet of Excel can have. */
const MAX_COLUMNS = 16_384

/** Converts the records of the parser, and counts the lines of the file. */
class RecordReader {
  /** The line in which the last record ends. */
  #end = 0
  #extraLines = 0

  /** Returns a record. `lines` is how many lines the parser has read, with CRLF within quotes counted twice. */
  read(cells: readonly CsvCell[], lines: number): CsvRecord {
    let breaks = 0
    for (const cell of cells) {
      const text = textOfCell(cell)
      breaks += lineBreaksIn(text)
      this.#extraLines += text.split('\r\n').length - 1
      if (cell === LONE_RETURN) this.#refuseReturn()
    }
    if (cells.length > MAX_COLUMNS)
      throw new Error(`line ${this.#end + 1} has ${cells.length} columns, more than ${MAX_COLUMNS}`)
    this.#end = lines - this.#extraLines
    return { cells, line: this.#end - breaks, isUnterminated: false }
  }

  #refuseReturn(): never {
    throw new Error(
      `line ${this.#end + 1} has a carriage return (CR) within a cell, while other lines end with a line feed (LF): save the file with one kind of line end`,
    )
  }

  /** Returns an error with a record that the parser cannot read: the one after the last that it has read. */
  explain(error: unknown): unknown {
    const problem = error instanceof CsvError ? quoteProblems[error.code] : undefined
    if (problem === undefined) return error
    return new Error(`the record that begins in line ${this.#end + 1} ${problem}: ${QUOTE_ADVICE}`, {
      cause: error,
    })
  }
}

/**
 * Yields the records of a CSV file, the header first. Skips those whose cells are all empty. A cell without quotes that is one of
 * `empty` is empty. Throws Error for invalid CSV.
 */
export async function* csvRecords(
  stream: AsyncIterable<Buffer>,
  empty: ReadonlySet<string> = new Set(),
): AsyncGenerator<CsvRecord> {
  let lastByte = NEWLINE
  async function* bytes() {
    for await (const chunk of stream) {
      lastByte = chunk.at(-1) ?? lastByte
      yield chunk
    }
  }
  const lines = linesOfText(bytes())
  const { value: header = '' } = await lines.next()
  if (/^\uFEFF?sep=/i.test(header))
    throw new Error(
      `line 1 is "${header.trim().replace('\uFEFF', '')}", which is for Excel alone and no part of the table: delete this line`,
    )
  // Before 2001, a Mac ended lines with a carriage return alone.
  const isOldMac = /\r(?!$)/.test(header)
  const reader = new RecordReader()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(header),
    record_delimiter: isOldMac ? ['\r', '\n'] : ['\r\n', '\n'],
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_BYTES,
    cast: (text, { quoting }) => {
      if (quoting) return text
      if (text.includes('\r')) return LONE_RETURN
      if (empty.has(text)) return ''
      return placeholders.has(text) ? { placeholder: text } : text
    },
    on_record: (cells: unknown, { lines }) => reader.read(cells as CsvCell[], lines) as never,
  })
  async function* texts() {
    yield `${header}\n`
    for await (const line of lines) yield `${line}\n`
  }
  let last: CsvRecord | undefined
  try {
    // If reading the text fails, the pipeline destroys the parser, which then throws the error.
    for await (const record of pipeline(texts(), parser, () => undefined) as AsyncIterable<CsvRecord>) {
      if (record.cells.every((cell) => cell === '')) continue
      if (last) yield last
      last = record
    }
  } catch (error) {
    throw reader.explain(error)
  }
  if (last) yield { ...last, isUnterminated: lastByte !== NEWLINE }
}
