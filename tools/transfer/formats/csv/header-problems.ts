import { allowsType, type Properties } from '../../../../shared/contract/schema.ts'
import { closestName, suggestion } from '../../../../shared/http/validation/suggest.ts'
import { UsageError } from '../../../cli/command.ts'
import { type ColumnOptions, mapOption, splitKey } from './column-options.ts'
import { columnFor, isSheetName } from './columns.ts'
import { type Header, joinedNames, type UnknownColumn } from './header.ts'

type FileHeader = Header & { readonly file: string }

/** The field whose name is most similar to an unknown one, unless it is `taken`. */
const similarField = (
  name: string,
  properties: Properties,
  taken: ReadonlySet<string>,
): string | undefined => {
  const free = Object.keys(properties).filter((field) => !taken.has(field))
  const similar = closestName(name, free)
  const [start = '', ...rest] = name.split('.')
  if (similar || rest.length === 0) return similar
  const outer = closestName(start, free)
  if (outer === undefined) return undefined
  const inner = rest.join('.')
  const parts = properties[outer]!.items?.properties
  if (!parts) return allowsType(properties[outer]!, 'object') ? `${outer}.${inner}` : undefined
  const freeParts = Object.keys(parts).filter((part) => !taken.has(`${outer}.${part}`))
  const similarPart = closestName(inner, freeParts)
  return similarPart && `${outer}.${similarPart}`
}

/**
 * The unknown columns by the similar field. Those of a currency, such as "adjustment_currency", are all candidates for the field: in
 * line items without it, amounts would be in the currency of the invoice.
 */
const candidatesByField = ({ sheetType, columns, unknown }: Header): Map<string, UnknownColumn[]> => {
  const { properties } = sheetType
  const taken = new Set(columns.map(({ name }) => name))
  const candidates = new Map<string, UnknownColumn[]>()
  for (const column of unknown) {
    const field = similarField(column.mappedTo ?? column.name, properties, taken)
    if (field === undefined) continue
    taken.add(field)
    candidates.set(field, [column])
  }
  const currency = Object.keys(properties).find((field) => properties[field]!.format === 'currency')
  if (currency === undefined || taken.has(currency)) return candidates
  const isCurrency = ({ name }: UnknownColumn): boolean =>
    name
      .toLowerCase()
      .replace(/[\W_]code$/, '')
      .endsWith(currency)
  const ofCurrency = unknown.filter(isCurrency)
  return ofCurrency.length > 0 ? candidates.set(currency, ofCurrency) : candidates
}

const MAX_SHOWN = 10

const shownColumn = ({ name, mappedTo }: UnknownColumn): string =>
  mappedTo === undefined ? `"${name}"` : `"${name}" as "${mappedTo}"`

/** The problem of a header with unknown columns, and the options for those with a similar field. Of the others, ten are shown. */
const unknownProblem = (header: FileHeader) => {
  const { file, sheetType, unknown } = header
  const candidates = [...candidatesByField(header)]
  const shown = unknown.flatMap((column, index) => {
    const [field] = candidates.find(([, similar]) => similar.includes(column)) ?? []
    if (field !== undefined) return [`${shownColumn(column)} (did you mean ${field}?)`]
    return index < MAX_SHOWN || column.mappedTo !== undefined ? [shownColumn(column)] : []
  })
  if (unknown.length > shown.length) shown.push(`and ${unknown.length - shown.length} more`)
  // The name of several columns is that of none, so the user must choose.
  const options = candidates.map(([field, similar]) =>
    mapOption(sheetType.name, similar.map(({ name }) => name).join(' or '), field),
  )
  const withSimilar = new Set(candidates.flatMap(([, similar]) => similar))
  // --leave-out concerns only columns that the user has not mapped.
  for (const column of unknown)
    if (column.mappedTo !== undefined && !withSimilar.has(column))
      options.push(mapOption(sheetType.name, column.name))
  const areNotFields = unknown.length === 1 ? 'is not a field' : 'are not fields'
  const fields = Object.keys(sheetType.properties).join(', ')
  return { problem: `in "${file}", ${shown.join(', ')} ${areNotFields} (${fields})`, options }
}

/** Throws UsageError for two columns of one field, and for unknown columns of all files, with the options that solve them. */
export const requireKnownColumns = (headers: readonly FileHeader[]): void => {
  for (const { file, sheetType, repeated } of headers)
    if (repeated)
      throw new UsageError(
        `in "${file}", the columns "${repeated.columnNames.join('" and "')}" are both ${repeated.field}; --map "${sheetType.name}:COLUMN=FIELD" names another field, and the second of two columns is "COLUMN#2"`,
      )
  const wrong = headers.filter(({ unknown }) => unknown.length > 0)
  if (wrong.length === 0) return
  const found = wrong.map(unknownProblem)
  const options = [...new Set(found.flatMap((each) => each.options))]
  // It concerns all files.
  if (wrong.some(({ unknown }, index) => found[index]!.options.length < unknown.length))
    options.push('--leave-out REST')
  throw new UsageError(
    `${found.map(({ problem }) => problem).join('; ')}. --map "COLUMN=FIELD" names the field of a column. These options use the similar fields and leave out all other columns: ${options.join(' ')}`,
  )
}

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
  const names = headers.flatMap((header) => header.names)
  throw new UsageError(`${option} "${key}=…": no file has a column "${column}"${suggestion(column, names)}`)
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
  headers: readonly FileHeader[],
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
