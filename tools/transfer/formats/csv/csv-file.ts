import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { wrongByteIn } from '../../../../shared/http/body.ts'
import { notUtf8 } from '../../file-kinds.ts'
import { linesIn, MAX_BYTES } from '../../lines.ts'
import type { Notation } from './notation.ts'
import { type ColumnNames, type Header, headerOf, tableOf } from './tables.ts'

export interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/** A CSV file, and what its header says of it. */
export interface CsvFile extends Header {
  readonly file: string
  readonly notation: Notation
  /** The first line of each column that an option has read. */
  readonly firstLines: Map<string, number>
  /** Yields the records below the header. */
  records(): AsyncIterable<CsvRecord>
}

export interface CsvOptions {
  readonly columns: ColumnNames
  readonly notation: Notation
}

/** Reads the header of a file. `all` yields all of its records at each call. Throws UsageError for a wrong name of the file. */
export const openCsvFile = async (
  file: string,
  all: () => AsyncIterable<CsvRecord>,
  { columns: names, notation }: CsvOptions,
): Promise<CsvFile> => {
  async function* records() {
    let isHeader = true
    for await (const record of all()) {
      if (!isHeader) yield record
      isHeader = false
    }
  }
  const csv = { file, notation, firstLines: new Map(), records }
  for await (const { cells } of all()) return { ...headerOf(file, cells, names), ...csv }
  return { table: tableOf(file), columns: [], ...csv }
}

async function* textsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let number = 0
  for await (const line of linesIn(stream)) {
    number += 1
    if (!line) throw new Error(`line ${number} is longer than ${MAX_BYTES} bytes`)
    if (!isUtf8(line)) throw notUtf8(`byte ${wrongByteIn(line)} of line ${number}`)
    yield `${line}\n`
  }
}

/** Returns the most frequent delimiter of a header. Excel writes semicolons where the decimal separator is a comma. */
const delimiterOf = (header: string): string =>
  [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0

interface Parsed {
  readonly record: string[]
  /** The text of the record, with the empty lines before it. */
  readonly raw: string
}

/** Yields the records of a CSV file, the header first. Skips those whose cells are all empty. Throws Error for invalid CSV. */
export async function* csvRecords(stream: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  const texts = textsOf(stream)
  const { value: start = '' } = await texts.next()
  if (/^\uFEFF?sep=/i.test(start))
    throw new Error(
      `line 1 is "${start.trim().replace('\uFEFF', '')}", which is for Excel alone and no part of the table: delete this line`,
    )
  async function* all() {
    yield start
    yield* texts
  }
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(start),
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_BYTES,
    raw: true,
  })
  let line = 1
  // If reading the text fails, the pipeline destroys the parser, which then throws the error.
  for await (const { record, raw } of pipeline(all(), parser, () => undefined) as AsyncIterable<Parsed>) {
    const text = raw.trimStart()
    line += lineBreaksIn(raw.slice(0, raw.length - text.length))
    if (record.some((cell) => cell !== '')) yield { cells: record, line }
    line += lineBreaksIn(text.replace(/(\r\n|\r|\n)$/, '')) + 1
  }
}
