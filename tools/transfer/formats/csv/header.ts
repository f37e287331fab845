import { UsageError } from '../../../cli/command.ts'
import { type ColumnOptions, splitKey } from './column-options.ts'
import { type Column, columnFor } from './columns.ts'
import { type CsvCell, textOfCell } from './csv-records.ts'
import { type SheetType, sheetTypeOf } from './sheet-types.ts'

/** A column of the file that is not a field. */
export interface UnknownColumn {
  readonly header: string
  /** The field that the user has given for it, which does not exist. */
  readonly mappedTo?: string
}

/** Two columns of the file that are the same field. */
export interface RepeatedField {
  readonly field: string
  readonly headers: readonly [string, string]
}

/** The columns of a file. */
export interface Header {
  readonly sheetType: SheetType
  readonly columns: readonly Column[]
  /** The headers of all columns, including those that are left out. The second column of one header is `Email#2`. */
  readonly names: readonly string[]
  /** The number of cells in the header; 0 if the file is empty. */
  readonly width: number
  /** The columns with which the service would refuse every row. */
  readonly unknown: readonly UnknownColumn[]
  /** The first field that has two columns. */
  readonly repeated?: RepeatedField
}

/** Returns the headers of columns, each with its number if an earlier column has the same one: `Email`, `Email#2`. */
const distinctHeaders = (headers: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  return headers.map((header) => {
    const count = (counts.get(header) ?? 0) + 1
    counts.set(header, count)
    return count === 1 ? header : `${header}#${count}`
  })
}

/** Adds the constants that the user has given for fields of a file. Throws UsageError for one that does not fit the file. */
const addConstants = (
  columns: Column[],
  headerByField: ReadonlyMap<string, string>,
  { name: sheetName, properties }: SheetType,
  file: string,
  constants: ColumnOptions['constants'],
): void => {
  for (const [key, constant] of constants) {
    const { sheet, name } = splitKey(key)
    if (sheet !== undefined && sheet !== sheetName) continue
    const column = columnFor(name, properties, { constant })
    if (!column && sheet !== undefined)
      throw new UsageError(`--set ${key}: ${sheetName} have no field "${name}"`)
    const header = headerByField.get(name)
    if (header !== undefined)
      throw new UsageError(`--set ${key}: "${file}" has the column "${header}" for this field`)
    if (column) columns.push(column)
  }
}

/**
 * Reads the header of a file. Throws UsageError for a file that is not named after a resource, and for a constant that does not
 * fit the file.
 */
export const readHeader = (file: string, cells: readonly CsvCell[], options: ColumnOptions): Header => {
  const { fields, constants, leavesOutUnknown } = options
  const sheetType = sheetTypeOf(file)
  const headers = cells.map(textOfCell)
  const names = distinctHeaders(headers)
  const columns: Column[] = []
  const unknown: UnknownColumn[] = []
  const headerByField = new Map<string, string>()
  let repeated: RepeatedField | undefined
  for (const [index, name] of names.entries()) {
    const header = headers[index]!
    const mapped = fields.get(`${sheetType.name}:${name}`) ?? fields.get(name)
    for (const field of mapped ?? [header]) {
      if (field === '') continue
      const column = columnFor(field, sheetType.properties, { index })
      const earlier = headerByField.get(field)
      if (!column) {
        if (mapped) unknown.push({ header: name, mappedTo: field })
        else if (!leavesOutUnknown) unknown.push({ header: name })
      } else if (earlier !== undefined) repeated ??= { field, headers: [earlier, header] }
      else {
        headerByField.set(field, name)
        columns.push(column)
      }
    }
  }
  addConstants(columns, headerByField, sheetType, file, constants)
  const header = { sheetType, columns, names, width: cells.length, unknown }
  return repeated ? { ...header, repeated } : header
}
