import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../../shared/contract/schema.ts'
import { invoice } from '../../../../shared/resources/invoice.ts'
import { CommandError } from '../../../cli/command.ts'
import { invalid, type Row, unusableRow } from '../../row.ts'
import { currencyIn, newReading, readCells } from './cells.ts'
import { partsField, wholeColumn } from './columns.ts'
import type { CsvCell } from './csv-records.ts'
import { deriveFields, type Part, sharedValueProblem, withEndsByInterval } from './derived-fields.ts'
import { requireKnownColumns, requireUsedOptions } from './header-problems.ts'
import { type PeriodEndsCheck, periodEndsCheck } from './period-ends.ts'
import { recordStore, type SheetRecordStore, type StoredRecord } from './record-store.ts'
import { requireInterval } from './required-interval.ts'
import { type CsvOptions, openSheet, type Sheet, type SheetInput } from './sheet.ts'
import { containsPart, entityIdIn, requireOwners, skippedRow, storeRecords } from './store-records.ts'

/** Opens files in order. Throws UsageError for wrong headers and unused options. */
const openSheets = async (inputs: readonly SheetInput[], options: CsvOptions): Promise<Sheet[]> => {
  const sheets: Sheet[] = []
  const shown = new Set<string>()
  for (const [index, input] of inputs.entries()) sheets.push(await openSheet(input, index, options, shown))
  requireKnownColumns(sheets)
  requireUsedOptions(options.columns, sheets)
  return sheets
}

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
            `${file}: ${column.name} must be the same in all rows of one id (got "${shownCell(merged)}" in line ${lines[index]} and "${shownCell(cell)}" in line ${line}). Nothing is recorded`,
          )
      }
  return { cells, lines, line: first.line }
}

interface EntityContext {
  readonly store: SheetRecordStore
  readonly partSheets: readonly Sheet[]
  readonly check: PeriodEndsCheck
}

const isOfSameResource = (sheet: Sheet, other: Sheet): boolean =>
  sheet.sheetType.resource === other.sheetType.resource

/** The parts of an entity, in its records or in sheets of their own. */
const partsOf = (
  sheet: Sheet,
  records: readonly StoredRecord[],
  context: EntityContext & Pick<Parameters<typeof readCells>[2], 'reading' | 'currency'>,
) => {
  const partIn = (partSheet: Sheet, record: StoredRecord): Part => {
    const inPartSheet = { ...context, sheet: partSheet }
    const part = readCells(partSheet.partColumns, record, inPartSheet)
    const place = `line ${record.line} of ${partSheet.file}`
    requireInterval(part, place, partSheet)
    if (partSheet === sheet) return { ...part, place, shared: {} }
    const shared = readCells(partSheet.entityColumns, record, inPartSheet)
    return { ...part, problems: [...part.problems, ...shared.problems], place, shared: shared.values }
  }
  const id = entityIdIn(sheet, records[0]!)
  const inSheets = context.partSheets
    .filter((partSheet) => isOfSameResource(partSheet, sheet))
    .flatMap((partSheet) =>
      context.store.recordsWith(partSheet.index, id).map((record) => partIn(partSheet, record)),
    )
  const inRecords = records
    .filter((record) => containsPart(sheet, record))
    .map((record) => partIn(sheet, record))
  return { givenParts: [...inSheets, ...inRecords], areInBoth: inSheets.length > 0 && inRecords.length > 0 }
}

/** From its records, which have the same id. */
const entityRow = (sheet: Sheet, records: readonly StoredRecord[], context: EntityContext): Row => {
  const { file, sheetType, entityColumns } = sheet
  const { resource } = sheetType
  const origin = { file, row: records[0]!.line }
  const broken = records.find(({ problem }) => problem !== null)
  if (broken) {
    const content = broken.cells.map(shownCell).join()
    return { ...unusableRow(origin, content, broken.problem!), type: resource }
  }
  const merged = mergeRecords(sheet, records)
  const reading = newReading()
  const entity = readCells(entityColumns, merged, { sheet, reading, currency: '' })
  const currency = currencyIn(entityColumns, merged.cells)
  const { givenParts, areInBoth } = partsOf(sheet, records, { ...context, reading, currency })
  const zone = sheet.notation.zone ?? 'UTC'
  const parts = withEndsByInterval(givenParts, zone)
  const lacks = (field: string): boolean => wholeColumn(entityColumns, field) === undefined
  const derived = deriveFields(resource === invoice.name ? parts : [], { values: entity.values, zone }, lacks)
  const derivedFields = Object.keys(derived.values)
  const values: Record<string, unknown> = { ...entity.values, ...derived.values }
  const problemsOfParts = parts.flatMap(({ place, problems }) => problems.map((text) => `${place}: ${text}`))
  const problems = [...entity.problems, ...problemsOfParts, ...derived.problems]
  const list = partsField(resource)
  const [firstPart] = parts
  if (list !== undefined && firstPart) {
    if (areInBoth || Object.hasOwn(entity.values, list))
      problems.push(
        `${list} must be in one place only: as JSON in the row, in rows with the same id, or in a file of their own (see ${firstPart.place}).`,
      )
    if (parts.some((part, index) => part !== givenParts[index])) derivedFields.push(`${list}.period_end`)
    values[list] = parts.map((part) => part.values)
    const sharedProblem = sharedValueProblem(entity.values, parts, lacks)
    if (sharedProblem !== undefined) problems.push(sharedProblem)
  }
  if (resource === invoice.name && problems.length === 0) {
    const inJson = list !== undefined && parts.length === 0 ? values[list] : []
    const listed = (Array.isArray(inJson) ? inJson : [])
      .filter(isRecord)
      .map((line) => ({ values: line, cells: {} }))
    const place = `line ${origin.row} of ${file}`
    for (const line of listed) requireInterval(line, place, sheet)
    context.check.add([entity, ...givenParts, ...listed], place, values.subscription_id)
  }
  return {
    ...origin,
    type: resource,
    data: values,
    ...reading,
    notationOptions: [...reading.notationOptions],
    partPlaces: parts.map(({ place }) => place),
    derivedFields,
    ...(problems.length > 0 ? { result: invalid(problems.join(' ')) } : {}),
  }
}

/**
 * Yields the rows of CSV files, each of which is read once. The number of a row is its line in the file. Throws UsageError for a
 * file that is not named after a resource, for wrong or unused options, for unknown columns, and for a part of an entity that no
 * file contains, and CommandError for a period whose end may be inclusive, and for a recurring line item without an interval.
 */
export async function* readCsvRows(
  inputs: readonly SheetInput[],
  options: CsvOptions,
  database: DatabaseSync,
): AsyncGenerator<Row> {
  const store = recordStore(database)
  try {
    const sheets = await openSheets(inputs, options)
    for (const sheet of sheets) yield* storeRecords(sheet, store)
    const entitySheets = sheets.filter(({ sheetType }) => sheetType.owner === undefined)
    const partSheets = sheets.filter(({ sheetType }) => sheetType.owner !== undefined)
    for (const parts of partSheets) {
      const owners = entitySheets.filter((sheet) => isOfSameResource(sheet, parts))
      requireOwners(parts, owners, store)
    }
    const check = periodEndsCheck(options.notation, store)
    for (const sheet of entitySheets)
      for (const records of store.groupsOf(sheet.index))
        yield skippedRow(sheet, records) ?? entityRow(sheet, records, { store, partSheets, check })
    check.requireFit()
  } finally {
    for (const { records } of inputs) await records.return(undefined)
  }
}
