import { createReadStream } from 'node:fs'
import { isRecord } from '../../../shared/contract/schema.ts'
import { CommandError } from '../../cli/command.ts'
import { readLines } from '../lines.ts'
import { parseLossless } from '../lossless-json.ts'
import type { ReportedRow } from './row-result.ts'

/** A line of a report. */
export interface ReportLine extends ReportedRow {
  /** The hash of the row: a later run skips a recorded row only if its hash is the same. */
  readonly hash: string
  readonly app_id: string
  readonly dry_run?: true
  /** The conversions of cells that are the first of their columns. */
  readonly read?: readonly string[]
  /** The options that determined how the cells were read. */
  readonly read_with?: readonly string[]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)

/** Returns the line in a text. Returns undefined for a text that no import writes. */
const parseReportLine = (text: string): ReportLine | undefined => {
  const line = parseLossless(text)
  if (!isRecord(line)) return undefined
  const { row, file, type, id, outcome, hash, app_id, read_with = [] } = line
  const isComplete =
    Number.isSafeInteger(row) &&
    [file, outcome, hash, app_id].every(isText) &&
    isTextOrNull(type) &&
    (isTextOrNull(id) || Number.isSafeInteger(id)) &&
    Array.isArray(read_with) &&
    read_with.every(isText)
  return isComplete ? (line as unknown as ReportLine) : undefined
}

/** Yields the lines of a report. Throws CommandError for a line that no import writes. */
export async function* readReportLines(report: string): AsyncGenerator<ReportLine> {
  let number = 0
  for await (const text of readLines(createReadStream(report))) {
    number += 1
    const line = parseReportLine(String(text))
    if (!line)
      throw new CommandError(
        `line ${number} of the report "${report}" was not written by an import: use a new report`,
      )
    yield line
  }
}
