import type { CellContext } from './cells.ts'
import { type ColumnOptions, type Header, headerOf } from './columns.ts'
import type { CsvRecord } from './csv-file.ts'
import type { Notation } from './notation.ts'
import { tableOf } from './tables.ts'

/** How to read CSV files. */
export interface CsvOptions {
  readonly columns: ColumnOptions
  readonly notation: Notation
  /** The texts that cells without quotes have in place of no text, such as `NULL`. */
  readonly empty: ReadonlySet<string>
}

/** A CSV file whose header has been read. */
export interface CsvTable extends Header, CellContext {
  /** Its position among the files. */
  readonly index: number
  /** The records below the header, which can be read once. */
  readonly records: AsyncIterator<CsvRecord>
}

/** A file, and its records, which can be read once. */
export interface CsvInput {
  readonly file: string
  readonly records: AsyncIterable<CsvRecord>
}

/** Reads the header of a file. `toldOnce` is the same for all files. Throws UsageError for a wrong name of the file. */
export const openCsvTable = async (
  { file, records: all }: CsvInput,
  index: number,
  { columns, notation }: CsvOptions,
  toldOnce: Set<string>,
): Promise<CsvTable> => {
  const records = all[Symbol.asyncIterator]()
  const first = await records.next()
  const header = first.done
    ? { table: tableOf(file), columns: [], names: [], width: 0 }
    : headerOf(file, first.value.cells, columns)
  return { ...header, file, index, notation, shown: new Set(), toldOnce, records }
}
