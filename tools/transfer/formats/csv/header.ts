import { UsageError } from '../../../cli/command.ts'
import { type ColumnOptions, columnText, splitKey } from './column-options.ts'
import { type Column, columnFor } from './columns.ts'
import { type CsvCell, textOfCell } from './csv-records.ts'
import { type SheetType, sheetTypeOf } from './sheet-types.ts'

/** A column of the file that is not a field. */
export interface UnknownColumn {
  readonly name: string
  /** The field that the user has given for it, which does not exist. */
  readonly mappedTo?: string
}

/** Two columns of the file that are the same field. */
export interface RepeatedField {
  readonly field: string
  readonly columnNames: readonly [string, string]
}

/** The first record of a file, which names its columns. */
export interface Header {
  readonly sheetType: SheetType
  /** The columns that are fields, and the constants that the user has given. */
  readonly columns: readonly Column[]
  /** The names of all columns, including columns that are left out. The second column with one name is `Email#2`. */
  readonly names: readonly string[]
  /** The number of cells. */
  readonly width: number
  /** The columns with which the service would refuse every row. */
  readonly unknown: readonly UnknownColumn[]
  /** The first field that has two columns. */
  readonly repeated?: RepeatedField
}

/** Returns the names of columns, each with its number if an earlier column has the same name: `Email`, `Email#2`. */
export const distinctNames = (names: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  })
}

/**
 * Returns the columns for the constants that the user has given for fields of a file. Throws UsageError for a constant whose field
 * does not exist, or is a column of the file.
 */
const constantColumns = (
  file: string,
  { name: sheetName, properties }: SheetType,
  columnNameByField: ReadonlyMap<string, string>,
  constants: ColumnOptions['constants'],
): Column[] => {
  const columns: Column[] = []
  for (const [key, constant] of constants) {
    const { sheet, name } = splitKey(key)
    if (sheet !== undefined && sheet !== sheetName) continue
    const column = columnFor(name, properties, { constant })
    if (!column && sheet !== undefined)
      throw new UsageError(`--set ${key}: ${sheetName} have no field "${name}"`)
    const columnName = columnNameByField.get(name)
    if (columnName !== undefined)
      throw new UsageError(`--set ${key}: "${file}" has the column "${columnName}" for this field`)
    if (column) columns.push(column)
  }
  return columns
}

/** Columns of the file that the user maps to one field, by their indexes. */
interface JoinedColumns {
  /** The name as the user writes it, such as `First,Last`. */
  readonly name: string
  readonly fields: readonly string[]
  readonly indexes: readonly number[]
}

/** Returns the names in the key of a `--map` without its sheet, each of a column to join; one name if there is nothing to join. */
export const joinedNames = (key: string): string[] => splitKey(key).name.split(',').map(columnText)

/** Returns the columns of a file that the user joins. If a column has the whole name, with its comma, that column is meant. */
const joinedColumns = (
  { name: sheetName }: SheetType,
  names: readonly string[],
  fields: ColumnOptions['fields'],
): JoinedColumns[] => {
  const joined: JoinedColumns[] = []
  for (const [key, mapped] of fields) {
    const { sheet = sheetName, name } = splitKey(key)
    const indexes = joinedNames(key).map((part) => names.indexOf(part))
    const isJoined = indexes.length > 1 && !names.includes(name) && !indexes.includes(-1)
    if (sheet === sheetName && isJoined) joined.push({ name, fields: mapped, indexes })
  }
  return joined
}

/**
 * Reads the header of a file. Throws UsageError for a file that is not named after a resource, and for a constant that does not
 * fit the file.
 */
export const readHeader = (file: string, cells: readonly CsvCell[], options: ColumnOptions): Header => {
  const { fields, constants, conditions, leavesOutUnknown } = options
  const sheetType = sheetTypeOf(file)
  const texts = cells.map((cell) => columnText(textOfCell(cell)))
  const names = distinctNames(texts)
  const columns: Column[] = []
  const unknown: UnknownColumn[] = []
  const columnNameByField = new Map<string, string>()
  let repeated: RepeatedField | undefined
  const addColumn = (name: string, field: string, indexes: readonly number[], isMapped: boolean): void => {
    const column = columnFor(field, sheetType.properties, { indexes })
    const earlierColumn = columnNameByField.get(field)
    const shownName = indexes.length === 1 ? texts[indexes[0]!]! : name
    if (!column) {
      if (isMapped) unknown.push({ name, mappedTo: field })
      else if (!leavesOutUnknown && !conditions.has(name) && !conditions.has(`${sheetType.name}:${name}`))
        unknown.push({ name })
    } else if (earlierColumn !== undefined) repeated ??= { field, columnNames: [earlierColumn, shownName] }
    else {
      columnNameByField.set(field, name)
      columns.push(column)
    }
  }
  const joined = joinedColumns(sheetType, names, fields)
  for (const { name, fields: joinedFields, indexes } of joined)
    for (const field of joinedFields) addColumn(name, field, indexes, true)
  const joinedIndexes = new Set(joined.flatMap(({ indexes }) => indexes))
  for (const [index, name] of names.entries()) {
    const mappedFields = fields.get(`${sheetType.name}:${name}`) ?? fields.get(name)
    if (mappedFields === undefined && joinedIndexes.has(index)) continue
    for (const field of mappedFields ?? [texts[index]!])
      if (field !== '') addColumn(name, field, [index], mappedFields !== undefined)
  }
  columns.push(...constantColumns(file, sheetType, columnNameByField, constants))
  const header = { sheetType, columns, names, width: cells.length, unknown }
  return repeated ? { ...header, repeated } : header
}
