import { readCells } from './csv-cells.ts'
import { type CsvRecord, dataRecords, type RecordsOf } from './csv-file.ts'
import { type CsvParts, readParts } from './csv-parts.ts'
import { type ColumnNames, type Header, headerOf, requireFields, tableOf } from './csv-tables.ts'
import { type Row, rowOf, unusable } from './row.ts'

/** The CSV files of an import. */
export interface CsvFiles {
  /** Yields the rows of a file, numbered by the lines of the file. */
  rows(file: string): AsyncGenerator<Row>
  close(): void
}

const readHeader = async (file: string, recordsOf: RecordsOf, names: ColumnNames): Promise<Header> => {
  for await (const { cells } of recordsOf(file)) return headerOf(file, cells, names)
  return { table: tableOf(file), columns: [] }
}

/** Returns the row of a record, with the parts of its entity from other files. */
const rowFrom = (file: string, record: CsvRecord, { table, columns }: Header, parts: CsvParts): Row => {
  const origin = { file, row: record.line }
  const { type } = table
  const { members, problem } = readCells(record, table, columns)
  const id = record.cells[columns.findIndex(({ name }) => name === 'id')] ?? ''
  const { members: added, ...more } = parts.of(table, id, members)
  if (members.length === 0) return { ...unusable(origin, record.cells.join(), problem ?? ''), type }
  const row = rowOf(origin, type, `{${[...members, ...added].join()}}`)!
  return { ...row, ...(problem === undefined ? {} : { problem }), ...more }
}

/**
 * Reads the headers of CSV files, and the files of parts. Throws UsageError for a file that is not named after a resource, for
 * unknown columns, and for parts of entities that no file has.
 */
export const openCsv = async (
  files: readonly string[],
  recordsOf: RecordsOf,
  names: ColumnNames,
): Promise<CsvFiles> => {
  const headers = new Map<string, Header>()
  for (const file of files) headers.set(file, await readHeader(file, recordsOf, names))
  requireFields([...headers.values()])
  const parts = await readParts(headers, recordsOf)
  async function* rows(file: string): AsyncGenerator<Row> {
    const header = headers.get(file)!
    if (header.table.owner !== undefined) return
    for await (const record of dataRecords(recordsOf(file))) yield rowFrom(file, record, header, parts)
  }
  return { rows, close: parts.close }
}
