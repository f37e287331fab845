import { type RecordValues, readCells } from './cells.ts'
import { cellOf } from './columns.ts'
import type { RecordStore, StoredRecord } from './record-store.ts'
import type { Sheet } from './sheet.ts'

/** An object in a list of an entity, such as a line item of an invoice. */
export interface Part extends RecordValues {
  /** Its place: `line 7 of line_items.csv`. */
  readonly place: string
  /** The values of its entity that its sheet contains, by field. */
  readonly shared: Readonly<Record<string, unknown>>
}

/** Returns whether a record of a sheet of entities contains a part of its entity. */
export const containsPart = ({ partColumns }: Sheet, { cells }: StoredRecord): boolean =>
  partColumns.some((column) => cellOf(column, cells) !== '')

/** Returns the parts in the records of an entity, in order. `currency` is the currency of the entity. */
export const partsInRecords = (sheet: Sheet, records: readonly StoredRecord[], currency: string): Part[] =>
  records
    .filter((record) => containsPart(sheet, record))
    .map((record) => ({
      ...readCells(sheet.partColumns, record, sheet, currency),
      place: `line ${record.line} of ${sheet.file}`,
      shared: {},
    }))

/** Returns the parts of an entity in a sheet of parts, in order. `currency` is the currency of the entity. */
export const partsInSheet = (sheet: Sheet, id: string, currency: string, store: RecordStore): Part[] =>
  store.recordsWith(sheet.index, id).map((record) => {
    const part = readCells(sheet.partColumns, record, sheet, currency)
    const shared = readCells(sheet.entityColumns, record, sheet)
    return {
      ...part,
      problems: [...part.problems, ...shared.problems],
      place: `line ${record.line} of ${sheet.file}`,
      shared: shared.values,
    }
  })
