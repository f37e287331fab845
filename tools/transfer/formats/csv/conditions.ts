import { CommandError } from '../../../cli/command.ts'
import { type Row, skipped } from '../../row.ts'
import { splitKey } from './column-options.ts'
import { textOfCell } from './csv-records.ts'
import type { StoredRecord } from './record-store.ts'
import type { Sheet } from './sheet.ts'

/**
 * Whether the records of an entity have one of the texts in a column. Programs leave repeated cells empty, so only the first cell
 * can be empty on purpose.
 */
const isMet = (cells: readonly string[], wanted: readonly string[]): boolean => {
  const texts = wanted.map((text) => text.toLowerCase())
  const [first = '', ...others] = cells.map((cell) => cell.toLowerCase())
  return texts.includes(first) || others.some((cell) => cell !== '' && texts.includes(cell))
}

/** A text that is not wanted. It is not shown where only empty cells are wanted, such as those of a date. */
const shownText = (text: string, wanted: readonly string[]): string => {
  if (text === '') return 'empty'
  return wanted.every((each) => each === '') ? 'not empty' : `"${text}"`
}

/** Throws CommandError for an entity of which `--only` would read a part of the rows: some of its parts would be missing. */
const requireOneText = (
  { file, partColumns }: Sheet,
  name: string,
  { cells, wanted }: { readonly cells: readonly string[]; readonly wanted: readonly string[] },
): void => {
  const unwanted = cells.find((cell) => cell !== '' && !isMet([cell], wanted))
  if (partColumns.length > 0 && unwanted !== undefined)
    throw new CommandError(
      `${file}: ${name} must be the same in all rows of one id for --only, which reads whole records (got "${wanted.join('" or "')}" and "${unwanted}"). Nothing is recorded`,
    )
}

/** Returns why `--only` leaves out an entity, or a part of one: `invoice: Status is "void"`. Otherwise returns undefined. */
const reasonToSkip = (sheet: Sheet, records: readonly StoredRecord[]): string | undefined => {
  const { sheetType, names, conditions } = sheet
  for (const [key, wanted] of conditions) {
    const { sheet: sheetName = sheetType.name, name } = splitKey(key)
    const index = names.indexOf(name)
    if (sheetName !== sheetType.name || index === -1) continue
    const cells = records.map((record) => textOfCell(record.cells[index]))
    if (!isMet(cells, wanted)) {
      const kind = sheetType.owner === undefined ? sheetType.resource : sheetType.name
      return `${kind}: ${name} is ${shownText(cells.find((cell) => cell !== '') ?? '', wanted)}`
    }
    if (sheetType.owner === undefined) requireOneText(sheet, name, { cells, wanted })
  }
  return undefined
}

/** Returns the skipped row of records that `--only` leaves out. Otherwise returns undefined. Throws CommandError for rows that differ. */
export const skippedRow = (sheet: Sheet, records: readonly StoredRecord[]): Row | undefined => {
  const reason = reasonToSkip(sheet, records)
  if (reason === undefined) return undefined
  const { file, sheetType } = sheet
  return { file, row: records[0]!.line, type: sheetType.resource, data: null, result: skipped(reason) }
}
