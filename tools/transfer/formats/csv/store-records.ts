import { CommandError, UsageError } from '../../../cli/command.ts'
import { type Row, skipped } from '../../row.ts'
import { placeholderProblem } from './cells.ts'
import { columnText, splitKey } from './column-options.ts'
import { cellOf, wholeColumn } from './columns.ts'
import { type CsvCell, type CsvRecord, textOfCell } from './csv-records.ts'
import { distinctNames } from './header.ts'
import type { SheetRecordStore, StoredRecord } from './record-store.ts'
import type { Sheet } from './sheet.ts'

/** Spreadsheets leave out empty cells at the end, or add some. */
const fitToHeader = ({ cells, line, isUnterminated }: CsvRecord, width: number): StoredRecord => {
  const missing = width - cells.length
  if (missing === 0) return { line, cells, problem: null }
  if (missing > 0 && isUnterminated) {
    const problem = `The file ends within this record, after ${cells.length} of ${width} cells.`
    return { line, cells, problem }
  }
  if (missing > 0) return { line, cells: [...cells, ...Array<CsvCell>(missing).fill('')], problem: null }
  if (cells.slice(width).every((cell) => cell === ''))
    return { line, cells: cells.slice(0, width), problem: null }
  const problem = `The record must have ${width} cells, like the header (got ${cells.length}).`
  return { line, cells, problem }
}

export const containsPart = ({ partColumns }: Sheet, { cells }: StoredRecord): boolean =>
  partColumns.some((column) => cellOf(column, cells) !== '')

/** The column with the id of the entity that a record is, or is a part of. */
const idColumnName = ({ sheetType }: Sheet): string => sheetType.owner ?? 'id'

/** Empty if the record has none. */
export const entityIdIn = (sheet: Sheet, { cells }: StoredRecord): string => {
  const column = wholeColumn(sheet.columns, idColumnName(sheet))
  return column ? textOfCell(cellOf(column, cells)) : ''
}

const missingIdProblem = (sheet: Sheet, { cells }: StoredRecord): string | null => {
  const name = idColumnName(sheet)
  const column = wholeColumn(sheet.columns, name)
  const cell = column ? cellOf(column, cells) : ''
  if (column && typeof cell !== 'string') return placeholderProblem(column, cell.placeholder)
  return cell === '' ? `${name} is missing.` : null
}

/** Throws UsageError for a part that is broken or whose entity is unknown: the entity would be recorded without it. */
const requireEntity = (sheet: Sheet, record: StoredRecord): void => {
  const isPart = sheet.sheetType.owner !== undefined
  if (!isPart && !containsPart(sheet, record)) return
  const problem = (isPart ? record.problem : null) ?? missingIdProblem(sheet, record)
  if (problem !== null)
    throw new UsageError(`line ${record.line} of "${sheet.file}" cannot be used: ${problem}`)
}

/**
 * Whether the records of an entity have one of the texts in a column. Programs leave repeated cells empty, so only the first cell
 * can be empty on purpose.
 */
const isMet = (cells: readonly string[], wanted: readonly string[]): boolean => {
  const texts = wanted.map((text) => text.toLowerCase())
  const [first = '', ...others] = cells.map((cell) => cell.toLowerCase())
  return texts.includes(first) || others.some((cell) => cell !== '' && texts.includes(cell))
}

/** A text that is not wanted. It is not shown where only empty cells are wanted, such as those of a date. */
const shownText = (text: string, wanted: readonly string[]): string => {
  if (text === '') return 'empty'
  return wanted.every((each) => each === '') ? 'not empty' : `"${text}"`
}

/** Throws CommandError for an entity of which `--only` would read a part of the rows: some of its parts would be missing. */
const requireOneText = (
  { file, partColumns }: Sheet,
  name: string,
  { cells, wanted }: { readonly cells: readonly string[]; readonly wanted: readonly string[] },
): void => {
  const unwanted = cells.find((cell) => cell !== '' && !isMet([cell], wanted))
  if (partColumns.length > 0 && unwanted !== undefined)
    throw new CommandError(
      `${file}: ${name} must be the same in all rows of one id for --only, which reads whole records (got "${wanted.join('" or "')}" and "${unwanted}"). Nothing is recorded`,
    )
}

/** Returns why `--only` leaves out an entity, or a part of one: `invoice: Status is "void"`. Otherwise returns undefined. */
const reasonToSkip = (sheet: Sheet, records: readonly StoredRecord[]): string | undefined => {
  const { sheetType, names, conditions } = sheet
  for (const [key, wanted] of conditions) {
    const { sheet: sheetName = sheetType.name, name } = splitKey(key)
    const index = names.indexOf(name)
    if (sheetName !== sheetType.name || index === -1) continue
    const cells = records.map((record) => textOfCell(record.cells[index]))
    if (!isMet(cells, wanted)) {
      const kind = sheetType.owner === undefined ? sheetType.resource : sheetType.name
      return `${kind}: ${name} is ${shownText(cells.find((cell) => cell !== '') ?? '', wanted)}`
    }
    if (sheetType.owner === undefined) requireOneText(sheet, name, { cells, wanted })
  }
  return undefined
}

/** Returns the skipped row of records that `--only` leaves out. Otherwise returns undefined. Throws CommandError for rows that differ. */
export const skippedRow = (sheet: Sheet, records: readonly StoredRecord[]): Row | undefined => {
  const reason = reasonToSkip(sheet, records)
  if (reason === undefined) return undefined
  const { file, sheetType } = sheet
  return { file, row: records[0]!.line, type: sheetType.resource, data: null, result: skipped(reason) }
}

/** The texts with which programs begin a line of sums. */
const SUM_WORD = /^(sub|grand ?)?(total|totals|sum|summe|gesamt|anzahl|count)\b/i

/** Throws UsageError for a line that is no record: the header again, as in joined files, or a sum under the table. */
const refuseOtherLines = (sheet: Sheet, { cells, line }: StoredRecord): void => {
  const { file, names, sheetType, columns } = sheet
  const texts = cells.map((cell) => columnText(textOfCell(cell)))
  const place = `line ${line} of "${file}"`
  const textNames = distinctNames(texts)
  if (textNames.length === names.length && names.every((name) => textNames.includes(name)))
    throw new UsageError(
      `${place} is the header again, as in files that were joined: delete this line. Nothing is recorded`,
    )
  const idColumn = wholeColumn(columns, idColumnName(sheet))
  const [text = '', ...others] = texts.filter((cell) => cell !== '')
  const isId = idColumn !== undefined && textOfCell(cellOf(idColumn, cells)).trim() !== ''
  const isSum = SUM_WORD.test(text) && others.every((other) => /^[-\d.,\s]+$/.test(other))
  if (names.length === 1 || !isId || (others.length > 0 && !isSum)) return
  if (/\s/.test(text) || isSum)
    throw new UsageError(
      `${place} has nothing but "${[text, ...others].join('", "')}", like a sum under the table: delete this line. If it is the id of a ${sheetType.resource}, record it from a file that has only this column. Nothing is recorded`,
    )
}

/**
 * Stores the records of a sheet. Yields those that `--only` leaves out and that are parts, or have no id to be grouped by. Throws
 * UsageError for a part that is broken or whose entity is unknown, and for a sheet without records: its rows may be lost.
 */
export async function* storeRecords(sheet: Sheet, store: SheetRecordStore): AsyncGenerator<Row> {
  const { file, sheetType, columns, names, records, index } = sheet
  const { owner } = sheetType
  let isEmpty = true
  if (owner !== undefined && !wholeColumn(columns, owner))
    throw new UsageError(`"${file}" must have a column ${owner}`)
  for await (const csvRecord of records) {
    const record = fitToHeader(csvRecord, names.length)
    isEmpty = false
    refuseOtherLines(sheet, record)
    const id = entityIdIn(sheet, record)
    const left = owner !== undefined || id === '' ? skippedRow(sheet, [record]) : undefined
    if (left) yield left
    else {
      requireEntity(sheet, record)
      store.add(index, id, record)
    }
  }
  if (isEmpty)
    throw new UsageError(`"${file}" has no record below its header: if it is complete, leave it out`)
}

const MAX_SHOWN = 5

/** Throws UsageError for parts whose entity is in none of the `owners`: they would not be recorded. */
export const requireOwners = (parts: Sheet, owners: readonly Sheet[], store: SheetRecordStore): void => {
  const { resource, owner } = parts.sheetType
  const ownerIndexes = owners.map(({ index }) => index)
  const missing = store.idsMissingIn(ownerIndexes, parts.index)
  if (missing.length === 0) return
  const shown = missing.slice(0, MAX_SHOWN).map(({ id, line }) => `line ${line} ("${id}")`)
  if (missing.length > MAX_SHOWN) shown.push('…')
  const lines = missing.length === 1 ? '1 line' : `${missing.length} lines`
  throw new UsageError(
    `no file of ${resource}s has the ${owner} of ${lines} of "${parts.file}": ${shown.join(', ')}`,
  )
}
