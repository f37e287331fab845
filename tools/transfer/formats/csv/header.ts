import { UsageError } from '../../../cli/command.ts'
import { type ColumnOptions, columnText, splitKey } from './column-options.ts'
import { type Column, columnFor, type SheetType, sheetTypeOf } from './columns.ts'
import { type CsvCell, textOfCell } from './csv-records.ts'

/** A column of the file that is not a field. */
export interface UnknownColumn {
  readonly name: string
  /** The field that the user has given for it, which does not exist. */
  readonly mappedTo?: string
}

/** The first record of a file, which names its columns. */
export interface Header {
  readonly sheetType: SheetType
  /** The columns that are fields, and the constants that the user has given. */
  readonly columns: readonly Column[]
  /** The names of all columns, including columns that are left out. The second column with one name is `Email#2`. */
  readonly names: readonly string[]
  /** The columns with which the service would refuse every row. */
  readonly unknown: readonly UnknownColumn[]
  /** The first field that has two columns, and their names. */
  readonly repeated: { readonly field: string; readonly columnNames: readonly [string, string] } | undefined
}

/** Each with its number if an earlier column has the same name: `Email`, `Email#2`. */
export const distinctNames = (names: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  })
}

/** Throws UsageError for a constant whose field does not exist, or is a column of the file. */
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

/** A column of the file, or several that the user joins, by their indexes. */
interface NamedColumns {
  /** As the user writes it, such as `First,Last`. */
  readonly name: string
  readonly indexes: readonly number[]
  /** The fields that the user maps it to; undefined if its name is that of its field. */
  readonly mappedFields: readonly string[] | undefined
}

/** The names in the key of a `--map` without its sheet, each of a column to join; one name if there is nothing to join. */
export const joinedNames = (key: string): string[] => splitKey(key).name.split(',').map(columnText)

/** If a column has the whole name, with its comma, that column is meant. */
const joinedColumns = (
  { name: sheetName }: SheetType,
  names: readonly string[],
  fields: ColumnOptions['fields'],
): NamedColumns[] => {
  const joined: NamedColumns[] = []
  for (const [key, mapped] of fields) {
    const { sheet = sheetName, name } = splitKey(key)
    const indexes = joinedNames(key).map((part) => names.indexOf(part))
    const isJoined = indexes.length > 1 && !names.includes(name) && !indexes.includes(-1)
    if (sheet === sheetName && isJoined) joined.push({ name, indexes, mappedFields: mapped })
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
  let repeated: Header['repeated']
  const addColumn = (name: string, field: string, indexes: readonly number[], isMapped: boolean): void => {
    const column = columnFor(field, sheetType.properties, { header: name, indexes })
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
  const joinedIndexes = new Set(joined.flatMap(({ indexes }) => indexes))
  const single = names.map((name, index): NamedColumns => {
    const mappedFields = fields.get(`${sheetType.name}:${name}`) ?? fields.get(name)
    const ownFields = joinedIndexes.has(index) ? [] : undefined
    return { name, indexes: [index], mappedFields: mappedFields ?? ownFields }
  })
  for (const { name, indexes, mappedFields } of [...joined, ...single])
    for (const field of mappedFields ?? [texts[indexes[0]!]!])
      if (field !== '') addColumn(name, field, indexes, mappedFields !== undefined)
  columns.push(...constantColumns(file, sheetType, columnNameByField, constants))
  return { sheetType, columns, names, unknown, repeated }
}
