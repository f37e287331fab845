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

/** Returns why `--only` leaves out an entity: `invoice: Status is "void"`. Otherwise returns undefined. */
export const reasonToSkip = (
  { sheetType, names, conditions }: Sheet,
  records: readonly StoredRecord[],
): string | undefined => {
  for (const [key, wanted] of conditions) {
    const { sheet = sheetType.name, name } = splitKey(key)
    const index = names.indexOf(name)
    if (sheet !== sheetType.name || index === -1) continue
    const cells = records.map((record) => textOfCell(record.cells[index]))
    if (isMet(cells, wanted)) continue
    return `${sheetType.resource}: ${name} is ${shownText(cells.find((cell) => cell !== '') ?? '', wanted)}`
  }
  return undefined
}
