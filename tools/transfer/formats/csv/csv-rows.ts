import { type Row, rowOf, unusable } from '../../row.ts'
import { joined, readCells } from './cells.ts'
import { type CsvFile, type CsvOptions, type CsvRecord, openCsvFile } from './csv-file.ts'
import { type CsvParts, nothing, readParts } from './parts.ts'
import { requireFields } from './tables.ts'

const rowFrom = (csv: CsvFile, record: CsvRecord, parts: CsvParts): Row => {
  const { file, table, columns } = csv
  const origin = { file, row: record.line }
  const { type } = table
  const { members, problem, ...reading } = readCells(record, csv)
  const id = record.cells[columns.findIndex(({ name }) => name === 'id')] ?? ''
  const { members: added, ...more } = parts?.of(table, id, members) ?? nothing
  if (members.length === 0) return { ...unusable(origin, record.cells.join(), problem ?? ''), type }
  const row = rowOf(origin, type, `{${[...members, ...added].join()}}`)!
  return { ...row, ...(problem === undefined ? {} : { problem }), ...more, ...joined([reading, more]) }
}

/**
 * Reads the headers of CSV files, and the files of parts. Throws UsageError for a file that is not named after a resource, for
 * unknown columns, and for parts of entities that no file has.
 */
export const openCsv = async (
  files: readonly string[],
  recordsOf: (file: string) => AsyncIterable<CsvRecord>,
  options: CsvOptions,
) => {
  const opened = new Map<string, CsvFile>()
  for (const file of files) opened.set(file, await openCsvFile(file, () => recordsOf(file), options))
  requireFields([...opened.values()])
  const parts = await readParts([...opened.values()])
  /** Yields the rows of a file, numbered by the lines of the file. */
  async function* rows(file: string): AsyncGenerator<Row> {
    const csv = opened.get(file)!
    if (csv.table.owner !== undefined) return
    for await (const record of csv.records()) yield rowFrom(csv, record, parts)
  }
  return { rows, close: () => parts?.close() }
}
