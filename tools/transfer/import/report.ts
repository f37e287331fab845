import type { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../cli/command.ts'
import { type Notation, optionTexts } from '../formats/csv/notation.ts'
import { DiskMap } from '../run-database.ts'
import { ReportFile } from './report-file.ts'
import { type ReportLine, readReportLines } from './report-lines.ts'
import { type Row, rowHash } from './row.ts'
import { isRecorded, type ReportedRow, type RowResult } from './row-result.ts'

interface ReportOptions {
  readonly database: DatabaseSync
  readonly appId: string
  /** The file of the report. */
  readonly report: string | undefined
  readonly isDryRun: boolean
  readonly files: readonly string[]
  readonly notation: Notation
}

/** Returns a key of a row and its entity, since one Stripe object may be several entities. */
const rowKey = ({ file, row, type, id }: Omit<ReportedRow, keyof RowResult>): string =>
  JSON.stringify([row, type, id, file])

/** The rows of a report that earlier runs with the same application recorded. */
class RecordedRows {
  /** The hash of each recorded row by `rowKey`; empty for rows that were not recorded. */
  readonly #hashes: DiskMap

  constructor(database: DatabaseSync) {
    this.#hashes = new DiskMap(database, 'recorded')
  }

  /** Adds the row of a line. If a row has several lines, the last one counts. */
  add(line: ReportLine): void {
    this.#hashes.set(rowKey(line), isRecorded(line.outcome) ? line.hash : '')
  }

  /**
   * Returns whether a row is recorded with the same content. If it is not, all later rows with its id count as not recorded
   * either: several rows may update an entity, and the last of them must be sent last.
   */
  has(row: Row): boolean {
    const resentKey = `again ${row.type} ${row.id}`
    const isSame = this.#hashes.get(rowKey(row)) === rowHash(row) && this.#hashes.get(resentKey) === undefined
    if (!isSame) this.#hashes.set(resentKey, '')
    return isSame
  }
}

/** Throws CommandError for a recorded row of the files to import that was read with other options than now. */
const requireSameOptions = (report: string, line: ReportLine, { files, notation }: ReportOptions): void => {
  const { outcome, file, read_with = [] } = line
  if (!isRecorded(outcome) || !files.includes(file)) return
  const current = optionTexts(notation)
  const other = read_with.find((option) => !current.includes(option))
  if (other !== undefined)
    throw new CommandError(
      `the report "${report}" has rows of "${file}" that were recorded with ${other}: give the same options, or use a new report`,
    )
}

/** Reads the rows that a report lists as recorded. Dry runs and other applications do not count. */
const readRecordedRows = async (report: string, options: ReportOptions): Promise<RecordedRows> => {
  const recorded = new RecordedRows(options.database)
  for await (const line of readReportLines(report)) {
    if (line.app_id !== options.appId || line.dry_run) continue
    recorded.add(line)
    requireSameOptions(report, line, options)
  }
  return recorded
}

const reportLine = (row: Row, result: RowResult, appId: string, isDryRun: boolean): ReportLine => {
  const { row: number, file, type, id, conversions = [], notationOptions = [] } = row
  return {
    // A line begins with this member; see `LINE_START` in report-file.ts.
    row: number,
    file,
    type,
    id,
    ...result,
    hash: rowHash(row),
    app_id: appId,
    ...(isDryRun ? { dry_run: true } : {}),
    ...(conversions.length > 0 ? { read: conversions } : {}),
    ...(notationOptions.length > 0 ? { read_with: notationOptions } : {}),
  }
}

/**
 * Opens a report to append to. Returns undefined if `options` name no file. Throws CommandError if the file cannot be used, or
 * lists rows of the files to import that were read with other options than now.
 */
export const openReport = async (options: ReportOptions) => {
  const { report, isDryRun, appId } = options
  if (report === undefined) return undefined
  // A run could not resume from a report that contains a dry run.
  const file = new ReportFile(report, { mustBeNew: isDryRun })
  const recorded = file.isEmpty ? undefined : await readRecordedRows(report, options)
  return {
    /** Returns whether an earlier run recorded this row with the same content. */
    isRecorded: (row: Row): boolean => recorded?.has(row) ?? false,
    write: (row: Row, result: RowResult): void => file.append(reportLine(row, result, appId, isDryRun)),
    close: (): void => file.close(),
  }
}
