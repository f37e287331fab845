import { isRecord } from '../../../../shared/contract/schema.ts'
import { invoice } from '../../../../shared/resources/invoice.ts'
import { CommandError } from '../../../cli/command.ts'
import { invalid, type Row, unusableRow } from '../../row.ts'
import { currencyIn, joinReadings, readCells } from './cells.ts'
import { columnName, wholeColumn } from './columns.ts'
import type { CsvCell } from './csv-records.ts'
import { deriveFields, type Part, sharedValueProblem, withEndsByInterval } from './derived-fields.ts'
import type { PeriodEndsCheck } from './period-ends.ts'
import type { RecordStore, StoredRecord } from './record-store.ts'
import type { Sheet } from './sheet.ts'
import { partsField } from './sheet-types.ts'
import { containsPart, entityIdIn } from './store-records.ts'

const shownCell = (cell: CsvCell): string => (typeof cell === 'string' ? cell : cell.placeholder)

/** Merges the records of an entity. Throws CommandError for a column with different cells, since either may be the right one. */
const mergeRecords = ({ entityColumns: columns, file }: Sheet, records: readonly StoredRecord[]) => {
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
  return { cells, lines, line: first.line }
}

/** A part in a record of its entity, or of a sheet of parts. `currency` is the currency of the entity. */
const partIn = (sheet: Sheet, record: StoredRecord, currency: string): Part => {
  const part = readCells(sheet.partColumns, record, sheet, currency)
  const place = `line ${record.line} of ${sheet.file}`
  if (sheet.sheetType.owner === undefined) return { ...part, place, shared: {} }
  const shared = readCells(sheet.entityColumns, record, sheet)
  return { ...part, problems: [...part.problems, ...shared.problems], place, shared: shared.values }
}

interface EntityContext {
  readonly store: RecordStore
  /** By the name of the resource that the parts belong to. */
  readonly partSheets: ReadonlyMap<string, readonly Sheet[]>
  readonly check: PeriodEndsCheck
}

/** From its records, which have the same id. */
export const entityRow = (
  sheet: Sheet,
  records: readonly StoredRecord[],
  { store, partSheets, check }: EntityContext,
): Row => {
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
  const id = entityIdIn(sheet, records[0]!)
  const inSheets = (partSheets.get(resource) ?? []).flatMap((partSheet) =>
    store.recordsWith(partSheet.index, id).map((record) => partIn(partSheet, record, currency)),
  )
  const inRecords = records
    .filter((record) => containsPart(sheet, record))
    .map((record) => partIn(sheet, record, currency))
  const zone = sheet.notation.zone ?? 'UTC'
  const givenParts = [...inSheets, ...inRecords]
  const parts = withEndsByInterval(givenParts, zone)
  const hasDerivedEnd = parts.some((part, index) => part !== givenParts[index])
  const lacks = (field: string): boolean => wholeColumn(entityColumns, field) === undefined
  const derived = deriveFields(resource === invoice.name ? parts : [], { values: entity.values, zone }, lacks)
  const values: Record<string, unknown> = { ...entity.values, ...derived.values }
  const problemsOfParts = parts.flatMap(({ place, problems }) => problems.map((text) => `${place}: ${text}`))
  const problems = [...entity.problems, ...problemsOfParts, ...derived.problems]
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
  if (resource === invoice.name && problems.length === 0) {
    const inJson = list !== undefined && parts.length === 0 ? values[list] : []
    const listed = (Array.isArray(inJson) ? inJson : []).filter(isRecord).map((line) => ({ values: line }))
    const place = `line ${origin.row} of ${file}`
    check.add([entity, ...givenParts, ...listed], place, values.subscription_id)
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
