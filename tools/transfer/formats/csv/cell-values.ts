import { allowsType, isComposite, type Schema } from '../../../../shared/contract/schema.ts'
import { CommandError } from '../../../cli/command.ts'
import { losslessNumber, parseLossless } from '../../lossless-json.ts'

/** Whether a field contains the id of the row, or ids of other entities. */
const hasIds = (field: string, { component, items }: Schema): boolean =>
  field === 'id' || field.endsWith('_id') || component === 'EntityId' || items?.component === 'EntityId'

/** In a JSON list, or separated by spaces or semicolons. */
const idsIn = (cell: string): unknown[] => {
  const list = parseLossless(cell)
  return Array.isArray(list) ? list : cell.split(/[\s;]+/).filter((id) => id !== '')
}

/** The allowed word of a field that a cell has, whatever its case; otherwise the cell. */
const wordIn = (cell: string, { enum: words = [] }: Schema): string => {
  const word = words.find((allowed) => String(allowed).toLowerCase() === cell.toLowerCase())
  return typeof word === 'string' ? word : cell
}

export const INTEGER = /^-?(0|[1-9]\d*)$/
/** An integer with the decimals that programs such as pandas add to the integers of a column with empty cells. */
const INTEGER_WITH_DECIMALS = /^(-?(?:0|[1-9]\d*))\.0+$/

const integerIn = (cell: string, { kind }: Schema): unknown => {
  if (INTEGER.test(cell)) return losslessNumber(cell)
  // An amount with decimals may be in the major unit.
  if (kind === 'money') return cell
  const [, integer] = INTEGER_WITH_DECIMALS.exec(cell) ?? []
  return integer === undefined ? cell : losslessNumber(integer)
}

/** A cell as a value of its field's type. A text that has another type is unchanged, for the service to refuse. */
export const fieldValue = (field: string, schema: Schema, cell: string): unknown => {
  if (allowsType(schema, 'string')) return wordIn(cell, schema)
  // Spreadsheets write booleans in upper case, and PostgreSQL as one letter.
  if (allowsType(schema, 'boolean') && /^(t|true|f|false)$/i.test(cell)) return /^t/i.test(cell)
  if (allowsType(schema, 'array') && hasIds(field, schema)) return idsIn(cell)
  if (isComposite(schema)) return parseLossless(cell) ?? cell
  if (!allowsType(schema, 'integer')) return cell
  return integerIn(field.startsWith('percent') ? cell.replace(/\s?%$/, '') : cell, schema)
}

/** A long number as spreadsheets shorten it, such as `1.23E+12`, in a cell with one or several ids. */
const SHORTENED_NUMBER = /(^|[\s;"[,])-?\d([.,]\d+)?E\+\d{2,}(?![^\s;"\],])/i
/** An integer with an added decimal, such as `42.0`, in a cell with one or several ids. */
const DECIMAL_NUMBER = /(^|[\s;"[,])\d+\.0(?![^\s;"\],])/

/** A character that takes no space, such as the mark of a direction of writing, or a space that looks like another. */
const INVISIBLE = /[\p{Cf}\u00A0\u202F]/u

const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

const idProblem = (field: string, schema: Schema, cell: string): string | undefined => {
  if (!hasIds(field, schema)) return undefined
  const [invisible] = INVISIBLE.exec(cell) ?? []
  if (invisible !== undefined)
    return `${field} must be an id as it looks (got "${cell.replace(invisible, '')}" with the invisible character ${codePoint(invisible)}): remove this character.`
  if (cell.startsWith("'"))
    return `${field} must be an id as you use it (got "${cell}" with the apostrophe U+0027 with which spreadsheets mark a text): remove the apostrophe.`
  if (SHORTENED_NUMBER.test(cell))
    return `${field} must be an id with all its digits (got "${cell}", a number that a spreadsheet has shortened): format the column as text, enter the ids again and save the file.`
  if (DECIMAL_NUMBER.test(cell))
    return `${field} must be an id as you use it (got "${cell}", a number to which a program such as pandas has added ".0"): read the column as text (in pandas, dtype=str) and save the file again.`
  return undefined
}

/** Throws CommandError for a text with ids that another program has changed. `place` is that of its row. */
export const refuseChangedId = (
  text: string,
  { place, field, schema }: { readonly place: string; readonly field: string; readonly schema: Schema },
): void => {
  const problem = idProblem(field, schema, text)
  if (problem !== undefined)
    throw new CommandError(`${place}: ${problem} Nothing is recorded, because other ids could be changed too`)
}
