import { UsageError } from '../../../cli/command.ts'
import { type ColumnOptions, splitKey } from './column-options.ts'
import { columnFor } from './columns.ts'
import { type Header, joinedNames } from './header.ts'
import { isSheetName } from './sheet-types.ts'

/** Throws UsageError for a `--map` or `--only` whose column no file has. */
const requireColumn = (option: string, key: string, headers: readonly Header[]): void => {
  const isUsed = headers.some(({ sheetType, names }) => {
    const { sheet } = splitKey(key)
    const isJoined =
      (sheet ?? sheetType.name) === sheetType.name && joinedNames(key).every((part) => names.includes(part))
    return isJoined || names.some((column) => column === key || `${sheetType.name}:${column}` === key)
  })
  if (isUsed) return
  const { sheet, name } = splitKey(key)
  const column = sheet !== undefined && isSheetName(sheet) ? name : key
  throw new UsageError(`${option} "${key}=…": no file has a column "${column}"`)
}

/** Throws UsageError for a `--set` whose field no file has. */
const requireSetField = (key: string, headers: readonly Header[]): void => {
  const { sheet, name } = splitKey(key)
  if (sheet !== undefined && !isSheetName(sheet))
    throw new UsageError(`--set ${key}: no file can be named "${sheet}"`)
  const hasField = ({ sheetType }: Header) =>
    columnFor(name, sheetType.properties, { constant: '' }) !== undefined
  if (sheet === undefined && !headers.some(hasField))
    throw new UsageError(`--set ${key}: no file has a field "${name}"`)
}

/**
 * Throws UsageError for an option that concerns no column and no field of the files: a mistyped one would silently have no effect.
 * An option for a sheet that is not among the files is accepted, because the user may import it with another command.
 */
export const requireUsedOptions = (
  { fields, constants, conditions }: ColumnOptions,
  headers: readonly Header[],
): void => {
  const isForOtherFiles = (key: string): boolean => {
    const { sheet } = splitKey(key)
    return (
      sheet !== undefined && isSheetName(sheet) && headers.every(({ sheetType }) => sheetType.name !== sheet)
    )
  }
  for (const key of fields.keys()) if (!isForOtherFiles(key)) requireColumn('--map', key, headers)
  for (const key of conditions.keys()) if (!isForOtherFiles(key)) requireColumn('--only', key, headers)
  for (const key of constants.keys()) requireSetField(key, headers)
}
