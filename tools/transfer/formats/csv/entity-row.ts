import { invoice } from '../../../../shared/resources/invoice.ts'
import { CommandError } from '../../../cli/command.ts'
import { invalid, type Row, unusableRow } from '../../row.ts'
import { currencyIn, joinReadings, readCells } from './cells.ts'
import { columnName, wholeColumn } from './columns.ts'
import type { CsvCell } from './csv-records.ts'
import { deriveFields, sharedValueProblem, withEndsByInterval } from './derived-fields.ts'
import { type Part, partsInRecords, partsInSheet } from './parts.ts'
import type { RecordStore, StoredRecord } from './record-store.ts'
import type { Sheet } from './sheet.ts'
import { partsField } from './sheet-types.ts'
import { entityIdIn } from './store-records.ts'

/** The stored records of all files, and the files with parts. */
export interface StoredSheets {
  readonly store: RecordStore
  /** The sheets of parts, by the name of the resource that the parts belong to. */
  readonly partSheets: ReadonlyMap<string, readonly Sheet[]>
}

const shownCell = (cell: CsvCell): string => (typeof cell === 'string' ? cell : cell.placeholder)

/** The cells of an entity. */
interface EntityCells {
  readonly cells: readonly CsvCell[]
  readonly line: number
}

/** Merges the records of an entity. Throws CommandError for a column with different cells, since either may be the right one. */
const mergeRecords = (
  { entityColumns: columns, file }: Sheet,
  records: readonly StoredRecord[],
): EntityCells => {
  const [first, ...others] = records as [StoredRecord, ...StoredRecord[]]
  const cells = [...first.cells]
  const lines = cells.map(() => first.line)
  for (const { cells: otherCells, line } of others)
    for (const column of columns)
      for (const index of 'indexes' in column.source ? column.source.indexes : []) {
        const merged = cells[index]!
        const cell = otherCells[index]!
        if (cell === '') continue
        if (merged === '') {
          cells[index] = cell
          lines[index] = line
        } else if (shownCell(merged) !== shownCell(cell))
          throw new CommandError(
            `${file}: ${columnName(column)} must be the same in all rows of one id (got "${shownCell(merged)}" in line ${lines[index]} and "${shownCell(cell)}" in line ${line}). Nothing is recorded`,
          )
      }
  return { cells, line: first.line }
}

/** The parts of an entity by the place where they are. */
interface EntityParts {
  readonly inSheets: readonly Part[]
  readonly inRecords: readonly Part[]
}

/** Returns the parts of an entity: those in sheets of parts, and those in its own records. */
const findParts = (
  sheet: Sheet,
  records: readonly StoredRecord[],
  currency: string,
  { store, partSheets }: StoredSheets,
): EntityParts => {
  const id = entityIdIn(sheet, records[0]!)
  const sheets = partSheets.get(sheet.sheetType.resource) ?? []
  return {
    inSheets: sheets.flatMap((partSheet) => partsInSheet(partSheet, id, currency, store)),
    inRecords: partsInRecords(sheet, records, currency),
  }
}

/** Returns the problems of each part, with the part's place. */
const problemsOfParts = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ place, problems }) => problems.map((problem) => `${place}: ${problem}`))

/** The row of an entity, from its records, which have the same id. */
export const entityRow = (sheet: Sheet, records: readonly StoredRecord[], sheets: StoredSheets): Row => {
  const { file, sheetType, entityColumns } = sheet
  const { resource } = sheetType
  const origin = { file, row: records[0]!.line }
  const broken = records.find(({ problem }) => problem !== null)
  if (broken) {
    const content = broken.cells.map(shownCell).join()
    return { ...unusableRow(origin, content, broken.problem!), type: resource }
  }
  const merged = mergeRecords(sheet, records)
  const entity = readCells(entityColumns, merged, sheet)
  const currency = currencyIn(entityColumns, merged.cells)
  const { inSheets, inRecords } = findParts(sheet, records, currency, sheets)
  const zone = sheet.notation.zone ?? 'UTC'
  const givenParts = [...inSheets, ...inRecords]
  const parts = withEndsByInterval(givenParts, zone)
  const hasDerivedEnd = parts.some((part, index) => part !== givenParts[index])
  const lacks = (field: string): boolean => wholeColumn(entityColumns, field) === undefined
  const derived = deriveFields(resource === invoice.name ? parts : [], { values: entity.values, zone }, lacks)
  const values: Record<string, unknown> = { ...entity.values, ...derived.values }
  const problems = [...entity.problems, ...problemsOfParts(parts), ...derived.problems]
  const list = partsField(resource)
  if (list !== undefined && parts.length > 0) {
    const isInSeveralPlaces =
      (inSheets.length > 0 && inRecords.length > 0) || Object.hasOwn(entity.values, list)
    if (isInSeveralPlaces)
      problems.push(
        `${list} must be in one place only: as JSON in the row, in rows with the same id, or in a file of their own (see ${parts[0]!.place}).`,
      )
    values[list] = parts.map((part) => part.values)
    const sharedProblem = sharedValueProblem(entity.values, parts, lacks)
    if (sharedProblem !== undefined) problems.push(sharedProblem)
  }
  return {
    ...origin,
    type: resource,
    data: values,
    ...joinReadings([entity, ...parts]),
    partPlaces: parts.map(({ place }) => place),
    derivedFields: [
      ...Object.keys(derived.values),
      ...(hasDerivedEnd ? [`${partsField(resource)}.period_end`] : []),
    ],
    ...(problems.length > 0 ? { result: invalid(problems.join(' ')) } : {}),
  }
}
