import { invoice } from '../../../../shared/resources/invoice.ts'
import { UsageError } from '../../../cli/command.ts'
import { type Draft, unusable } from '../../row.ts'
import { currencyIn, joinedReadings, placeholderProblem, readCells } from './cells.ts'
import { type Column, cellOf, nameOfColumn, requireFields, requireUse } from './columns.ts'
import { type CsvCell, type CsvRecord, textOfCell } from './csv-file.ts'
import { type CsvInput, type CsvOptions, type CsvTable, openCsvTable } from './csv-table.ts'
import { disagreementOf, fieldsFromLines } from './from-lines.ts'
import { type Part, readPart, refuseOrphans } from './parts.ts'
import { openRecordStore, type RecordStore, type StoredRecord } from './record-store.ts'
import { listOf } from './tables.ts'

const isEmpty = (cell: CsvCell): boolean => cell === ''

/** Returns a record with as many cells as the header. Spreadsheets leave out empty cells at the end, or add some. */
const fitted = ({ cells, line, isUnterminated }: CsvRecord, width: number): StoredRecord => {
  const record = { cells, line, problem: null }
  if (cells.length === width) return record
  if (cells.length < width && isUnterminated)
    return {
      ...record,
      problem: `The file ends within this record, after ${cells.length} of ${width} cells.`,
    }
  if (cells.length < width)
    return { ...record, cells: [...cells, ...Array<CsvCell>(width - cells.length).fill('')] }
  if (cells.slice(width).every(isEmpty)) return { ...record, cells: cells.slice(0, width) }
  const problem = `The record must have ${width} cells, as many as the header (got ${cells.length}).`
  return { ...record, problem }
}

const columnNamed = (columns: readonly Column[], field: string): Column | undefined =>
  columns.find((column) => column.field === field && column.list === undefined && column.key === undefined)

/** Returns the client's id of the entity that a record is, or is a part of; empty if it has none. */
const idIn = ({ table, columns }: CsvTable, { cells }: StoredRecord): string => {
  const column = columnNamed(columns, table.owner ?? 'id')
  return column ? textOfCell(cellOf(column, cells)) : ''
}

/** Returns whether a record is a part of an entity, or an entity and a part of it. */
const hasPart = ({ table, columns }: CsvTable, { cells }: StoredRecord): boolean =>
  table.owner !== undefined ||
  columns.some((column) => column.list !== undefined && !isEmpty(cellOf(column, cells)))

/** Returns why the entity of a part is unknown; null if it has an id. */
const missingId = ({ table, columns }: CsvTable, { cells }: StoredRecord): string | null => {
  const name = table.owner ?? 'id'
  const column = columnNamed(columns, name)
  const cell = column ? cellOf(column, cells) : ''
  if (column && typeof cell !== 'string') return placeholderProblem(column, cell.placeholder)
  return isEmpty(cell) ? `${name} is missing.` : null
}

/** Stores the records of a file. Throws UsageError for a part without an entity, which would be recorded without it. */
const storeRecords = async (csv: CsvTable, store: RecordStore): Promise<void> => {
  const { file, table, columns, width, records, index } = csv
  const { owner } = table
  if (owner !== undefined && width > 0 && !columnNamed(columns, owner))
    throw new UsageError(`"${file}" must have a column ${owner}`)
  for (let next = await records.next(); !next.done; next = await records.next()) {
    const record = fitted(next.value, width)
    const id = idIn(csv, record)
    const problem = (owner === undefined ? null : record.problem) ?? missingId(csv, record)
    if (hasPart(csv, record) && problem !== null)
      throw new UsageError(`line ${record.line} of "${file}" is not usable: ${problem}`)
    store.add(index, id, record)
  }
}

/** The CSV files of an import, whose records are stored. */
interface CsvImport {
  readonly store: RecordStore
  /** The files of parts, by the type of their entities. */
  readonly partFiles: ReadonlyMap<string, readonly CsvTable[]>
}

/** Returns the parts of an entity in files of their own, in order. */
const partsInFiles = (
  type: string,
  id: string,
  currency: string,
  { store, partFiles }: CsvImport,
): Part[] => {
  const parts: Part[] = []
  for (const csv of partFiles.get(type) ?? []) {
    const { owner, shared = [] } = csv.table
    const own = csv.columns.filter(({ field }) => field !== owner && !shared.includes(field))
    const sharedColumns = csv.columns.filter(({ field }) => shared.includes(field))
    for (const record of store.recordsWith(csv.index, id))
      parts.push(readPart(own, record, csv, { currency, shared: sharedColumns }))
  }
  return parts
}

/** Returns the parts in the rows of an entity whose sheet has a row for each of them. */
const partsInRows = (csv: CsvTable, group: readonly StoredRecord[], currency: string): Part[] => {
  const columns = csv.columns.filter(({ list }) => list !== undefined)
  const withParts = group.filter(({ cells }) => columns.some((column) => !isEmpty(cellOf(column, cells))))
  return withParts.map((record) => readPart(columns, record, csv, { currency }))
}

const shownCell = (cell: CsvCell): string => (typeof cell === 'string' ? cell : cell.placeholder)

/** Returns the cells of an entity that has several rows, and what is wrong if two of them differ. */
const mergedRows = (columns: readonly Column[], group: readonly StoredRecord[]) => {
  const cells = [...group[0]!.cells]
  const lines = cells.map(() => group[0]!.line)
  const problems: string[] = []
  for (const { cells: more, line } of group.slice(1))
    for (const column of columns) {
      if (!('index' in column.source)) continue
      const { index } = column.source
      const known = cells[index]!
      const cell = more[index]!
      if (isEmpty(cell)) continue
      if (isEmpty(known)) {
        cells[index] = cell
        lines[index] = line
      } else if (shownCell(known) !== shownCell(cell))
        problems.push(
          `${nameOfColumn(column)} must be the same in all rows of one id (got "${shownCell(known)}" in line ${lines[index]} and "${shownCell(cell)}" in line ${line}).`,
        )
    }
  return { cells, line: group[0]!.line, problems }
}

/** Returns the parts of an entity, and what is wrong with them. */
const partsOf = (csv: CsvTable, group: readonly StoredRecord[], currency: string, all: CsvImport) => {
  const inFiles = partsInFiles(csv.table.type, idIn(csv, group[0]!), currency, all)
  const inRows = partsInRows(csv, group, currency)
  const parts = [...inFiles, ...inRows]
  const problems: string[] = []
  for (const { origin, problems: found } of parts)
    for (const problem of found) problems.push(`${origin}: ${problem}`)
  return { parts, problems, areTwofold: inFiles.length > 0 && inRows.length > 0 }
}

/** Returns the draft of an entity from the rows that have its id. */
const draftOf = (csv: CsvTable, group: readonly StoredRecord[], all: CsvImport): Draft => {
  const { file, table, columns } = csv
  const { type } = table
  const origin = { file, row: group[0]!.line }
  const broken = group.find(({ problem }) => problem !== null)
  if (broken) return { ...unusable(origin, broken.cells.map(shownCell).join(), broken.problem!), type }
  const own = columns.filter(({ list }) => list === undefined)
  const merged = mergedRows(own, group)
  const cells = readCells(own, merged, csv)
  const {
    parts,
    problems: partProblems,
    areTwofold,
  } = partsOf(csv, group, currencyIn(own, merged.cells), all)
  const lacks = (field: string): boolean => columnNamed(own, field) === undefined
  const fromLines = fieldsFromLines(type === invoice.name ? parts : [], lacks)
  const values: Record<string, unknown> = { ...cells.values, ...fromLines.values }
  const problems = [...merged.problems, ...cells.problems, ...partProblems, ...fromLines.problems]
  const list = listOf(type)
  if (list !== undefined && parts.length > 0) {
    if (areTwofold || Object.hasOwn(values, list))
      problems.push(
        `${list} must be in the row or in lines of their own, not both (see ${parts[0]!.origin}).`,
      )
    values[list] = parts.map((part) => part.values)
    const disagreement = disagreementOf(cells.values, parts, lacks)
    if (disagreement !== undefined) problems.push(disagreement)
  }
  return {
    ...origin,
    type,
    data: values,
    ...joinedReadings([cells, ...parts]),
    partOrigins: parts.map((part) => part.origin),
    fromLines: Object.keys(fromLines.values),
    ...(problems.length > 0 ? { problem: problems.join(' ') } : {}),
  }
}

/** Returns the groups of records of a file that are an entity each. */
const groupsOf = function* (csv: CsvTable, store: RecordStore): Generator<readonly StoredRecord[]> {
  if (csv.columns.some(({ list }) => list !== undefined)) yield* store.groupsOf(csv.index)
  else for (const record of store.recordsOf(csv.index)) yield [record]
}

/**
 * Yields the rows of CSV files, each of which is read once. Rows are numbered by the lines of their file. Throws UsageError for a
 * file that is not named after a resource, for unknown columns, and for parts of entities that no file has.
 */
export async function* csvDrafts(inputs: readonly CsvInput[], options: CsvOptions): AsyncGenerator<Draft> {
  const store = await openRecordStore()
  const opened: CsvTable[] = []
  try {
    const toldOnce = new Set<string>()
    for (const [index, input] of inputs.entries())
      opened.push(await openCsvTable(input, index, options, toldOnce))
    requireFields(opened)
    requireUse(options.columns, opened)
    for (const csv of opened) await storeRecords(csv, store)
    const owners = opened.filter(({ table }) => table.owner === undefined)
    const partFiles = Map.groupBy(
      opened.filter(({ table }) => table.owner !== undefined),
      ({ table }) => table.type,
    )
    for (const [type, files] of partFiles)
      for (const parts of files)
        refuseOrphans(
          parts,
          owners.filter(({ table }) => table.type === type),
          store,
        )
    for (const csv of owners)
      for (const group of groupsOf(csv, store)) yield draftOf(csv, group, { store, partFiles })
  } finally {
    for (const { records } of opened) await records.return?.()
    store.close()
  }
}
