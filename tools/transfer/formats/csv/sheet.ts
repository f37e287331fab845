import { UsageError } from '../../../cli/command.ts'
import type { ColumnOptions } from './column-options.ts'
import { type Column, sheetTypeOf } from './columns.ts'
import { type CsvRecord, textOfCell } from './csv-records.ts'
import { type Header, readHeader } from './header.ts'
import type { Notation } from './notation.ts'

export interface CsvOptions {
  readonly columns: ColumnOptions
  readonly notation: Notation
  /** The texts, such as `NULL`, that make a cell without quotes empty. */
  readonly empty: ReadonlySet<string>
}

/** The records can be read once. */
export interface SheetInput {
  readonly file: string
  readonly records: AsyncGenerator<CsvRecord>
}

export interface Sheet extends Header {
  readonly file: string
  readonly index: number
  /** The columns with fields of the entity. In a sheet of parts: the columns whose values all parts of an entity share. */
  readonly entityColumns: readonly Column[]
  /** The columns with fields of its parts. */
  readonly partColumns: readonly Column[]
  readonly notation: Notation
  readonly conditions: ColumnOptions['conditions']
  /** The records below the header, which can be read once. */
  readonly records: AsyncGenerator<CsvRecord>
  /** What has been shown of all files: columns with the conversion of a cell, and notices. */
  readonly shown: Set<string>
}

const groupColumns = ({ sheetType, columns }: Header): Pick<Sheet, 'entityColumns' | 'partColumns'> => {
  const { owner, shared = [] } = sheetType
  if (owner === undefined)
    return {
      entityColumns: columns.filter(({ list }) => list === undefined),
      partColumns: columns.filter(({ list }) => list !== undefined),
    }
  return {
    entityColumns: columns.filter(({ field }) => shared.includes(field)),
    partColumns: columns.filter(({ field }) => field !== owner && !shared.includes(field)),
  }
}

/** The number of records in which the header is looked for. */
const SEARCHED_RECORDS = 20

const textCount = ({ cells }: CsvRecord): number => cells.filter((cell) => cell !== '').length

const hasFields = ({ columns }: Header): boolean => columns.some(({ source }) => 'indexes' in source)

/** Throws UsageError if a later record than the first is the header, as below a title, or if none is and no column is reported as unknown. */
const refuseTitle = async (
  { file, records }: SheetInput,
  first: CsvRecord,
  options: ColumnOptions,
): Promise<void> => {
  const isTitle = textCount(first) === 1
  for (let count = 0; count < SEARCHED_RECORDS; count += 1) {
    const { value: record, done } = await records.next()
    if (done) break
    if (hasFields(readHeader(file, record.cells, options)) || (isTitle && textCount(record) > 1))
      throw new UsageError(
        `line ${first.line} of "${file}" must be the header; line ${record.line} looks like it: delete the lines above it`,
      )
  }
  if (readHeader(file, first.cells, options).unknown.length === 0)
    throw new UsageError(
      `line ${first.line} of "${file}" must be the header, but no option names one of its columns (${first.cells.map((cell) => `"${textOfCell(cell)}"`).join(', ')})`,
    )
}

/** `index` is its position among the files. Throws UsageError as `readHeader` does, and CommandError for a file that cannot be read. */
export const openSheet = async (
  { file, records }: SheetInput,
  index: number,
  { columns, notation }: CsvOptions,
  shown: Sheet['shown'],
): Promise<Sheet> => {
  const first = await records.next()
  const sheetType = sheetTypeOf(file)
  if (first.done)
    throw new UsageError(
      `"${file}" is empty: line 1 must be the header, with names of fields (${Object.keys(sheetType.properties).join(', ')})`,
    )
  const header = readHeader(file, first.value.cells, columns)
  if (!hasFields(header)) await refuseTitle({ file, records }, first.value, columns)
  const { conditions } = columns
  return { ...header, ...groupColumns(header), file, index, notation, conditions, records, shown }
}
