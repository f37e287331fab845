import { UsageError } from '../../../cli/command.ts'
import type { Reading } from '../../row.ts'
import { type CellContext, readCells } from './cells.ts'
import type { Column } from './columns.ts'
import type { CsvTable } from './csv-table.ts'
import type { RecordStore, StoredRecord } from './record-store.ts'

/** An object in a list of an entity, such as a line of an invoice. */
export interface Part extends Reading {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly string[]
  /** Where it is from: `line 7 of line_items.csv`. */
  readonly origin: string
  /** The values of its entity that it names, by field. */
  readonly shared: Readonly<Record<string, unknown>>
}

/** Reads a record as a part of an entity with a currency. */
export const readPart = (
  columns: readonly Column[],
  record: StoredRecord,
  context: CellContext,
  { currency, shared = [] }: { readonly currency: string; readonly shared?: readonly Column[] },
): Part => {
  const origin = `line ${record.line} of ${context.file}`
  const own = readCells(columns, record, context, currency)
  const named = readCells(shared, record, context)
  return { ...own, problems: [...own.problems, ...named.problems], origin, shared: named.values }
}

const MAX_SHOWN = 5

/** Throws UsageError for parts whose entity no file has: it would be recorded without them. */
export const refuseOrphans = (parts: CsvTable, owners: readonly CsvTable[], store: RecordStore): void => {
  const { file, table } = parts
  const indexes = owners.map(({ index }) => index)
  const shown: string[] = []
  let count = 0
  for (const { id, line } of store.idsMissingIn(indexes, parts.index)) {
    count += 1
    if (count <= MAX_SHOWN) shown.push(`line ${line} ("${id}")`)
  }
  if (count === 0) return
  if (count > MAX_SHOWN) shown.push('…')
  const lines = count === 1 ? '1 line' : `${count} lines`
  const name = count === 1 ? 'names' : 'name'
  throw new UsageError(
    `${lines} of "${file}" ${name} no row of a file of ${table.type}s by ${table.owner}: ${shown.join(', ')}`,
  )
}
