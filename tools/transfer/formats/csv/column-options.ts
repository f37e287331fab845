import { shellWord } from '../../../../shared/text/shell.ts'
import { UsageError } from '../../../cli/command.ts'

/** What the user specifies about the columns of CSV files. */
export interface ColumnOptions {
  /** The fields of columns by the column's name, or by sheet and name (`customers:Number`). `['']` leaves out a column. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** The values of fields for which a file has no column, by field, or by sheet and field (`prices:type`). */
  readonly constants: ReadonlyMap<string, string>
  /** The texts of which a cell must have one for its entity to be read, by the column's name, or by sheet and name. */
  readonly conditions: ReadonlyMap<string, readonly string[]>
  readonly leavesOutUnknown: boolean
}

/** `index` is that of a separator. Throws UsageError, with the `expected` form, if there is no text before it. */
const splitAt = (text: string, index: number, expected: string): [before: string, after: string] => {
  if (index < 1) throw new UsageError(`${expected} (got "${text}")`)
  return [text.slice(0, index), text.slice(index + 1)]
}

/** Composes letters and accents, removes invisible characters and makes white space one space: names that look equal are equal. */
export const columnText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** For a column of one sheet; without a field, the column is left out. */
export const mapOption = (sheet: string, column: string, field = ''): string =>
  `--map ${shellWord(`${sheet}:${column}=${field}`)}`

/** The value of a `--map`. Throws UsageError for a wrong one. */
export const mapParts = (text: string): [column: string, fields: string] => {
  const expected = '--map must be a column and a field, such as "Customer ID=id"'
  // The name of a column may contain an equals sign, but the name of a field cannot.
  const [column, fields] = splitAt(text, text.lastIndexOf('='), expected)
  return [columnText(column), fields]
}

/** The value of a `--set`. Throws UsageError for a wrong one. */
export const setParts = (text: string): [field: string, value: string] =>
  splitAt(text, text.indexOf('='), '--set must be a field and a value, such as "prices:type=recurring"')

/** The value of an `--only`. Throws UsageError for a wrong one. */
export const onlyParts = (text: string): [column: string, value: string] => {
  const expected = '--only must be a column and the text of its cells, such as "Status=paid"'
  const [column, value] = splitAt(text, text.lastIndexOf('='), expected)
  return [columnText(column), value.trim()]
}

const conditionsFrom = (onlyOptions: readonly string[]): Map<string, readonly string[]> => {
  const conditions = new Map<string, readonly string[]>()
  for (const [column, value] of onlyOptions.map(onlyParts))
    conditions.set(column, [...(conditions.get(column) ?? []), value])
  return conditions
}

const fieldsFrom = (mapOptions: readonly string[]): Map<string, readonly string[]> => {
  const fields = new Map<string, readonly string[]>()
  for (const text of mapOptions) {
    const [column, names] = mapParts(text)
    if (fields.has(column))
      throw new UsageError(
        `--map names the column "${column}" twice: write "${column}=FIELD,FIELD" for two fields`,
      )
    const trimmed = names.split(',').map((name) => name.trim())
    fields.set(column, trimmed)
  }
  return fields
}

const constantsFrom = (setOptions: readonly string[]): Map<string, string> => {
  const constants = new Map<string, string>()
  for (const text of setOptions) {
    const [field, value] = setParts(text)
    if (constants.has(field)) throw new UsageError(`--set names the field ${field} twice`)
    constants.set(field, value)
  }
  return constants
}

/** Those of the options `--map`, `--set` and `--only`. */
export type ColumnTexts = Readonly<Record<'map' | 'set' | 'only', readonly string[]>>

/** Throws UsageError for a wrong argument. */
export const columnOptionsFrom = ({
  map,
  set,
  only,
  'leave-out': leaveOut,
}: ColumnTexts & { readonly 'leave-out': string | undefined }): ColumnOptions => {
  if (leaveOut !== undefined && leaveOut !== 'REST')
    throw new UsageError(
      `--leave-out must be REST, which leaves out all columns that are not fields (got "${leaveOut}"); --map "${leaveOut}=" leaves out one column`,
    )
  return {
    fields: fieldsFrom(map),
    constants: constantsFrom(set),
    conditions: conditionsFrom(only),
    leavesOutUnknown: leaveOut === 'REST',
  }
}

/** Splits a key of `ColumnOptions` into the sheet and the column or field: `prices:type`, or only `type`. */
export const splitKey = (key: string): { readonly sheet?: string; readonly name: string } => {
  const [, sheet, name = ''] = /^(?:([^:]*):)?(.*)$/s.exec(key)!
  return sheet === undefined ? { name } : { sheet, name }
}
