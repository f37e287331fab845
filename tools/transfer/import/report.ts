import {
  closeSync,
  constants,
  createReadStream,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../shared/contract/schema.ts'
import { CommandError } from '../../cli/command.ts'
import { type Notation, optionTexts } from '../formats/csv/notation.ts'
import { readLines } from '../input.ts'
import { parseLossless } from '../lossless-json.ts'
import { idOf, isRecorded, type Result, type Row, rowHash } from '../row.ts'
import { DiskMap } from '../run-database.ts'

/** A line of a report. */
export interface ReportLine extends Result, Pick<Row, 'row' | 'file' | 'type'> {
  readonly id: string | number | null
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

/** Undefined for a text that no import writes. */
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

/** Throws CommandError for a line that no import writes. */
async function* readReportLines(report: string): AsyncGenerator<ReportLine> {
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

interface ReportOptions {
  readonly database: DatabaseSync
  readonly appId: string
  /** The file of the report. */
  readonly report: string | undefined
  readonly isDryRun: boolean
  readonly files: readonly string[]
  readonly notation: Notation
}

/** Identifies a row in a report. It contains the type, since one Stripe object can become several entities. */
const rowKey = (
  { file, row, type }: Pick<Row, 'file' | 'row' | 'type'>,
  id: string | number | null,
): string => JSON.stringify([row, type, id, file])

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

/**
 * Reads which rows earlier runs recorded: dry runs and other applications do not count, and the last line of a row does. Resolves
 * with a function that returns whether a row is recorded with the same content. If it is not, all later rows with its id count as
 * not recorded either: several rows may update an entity, and the last of them must be sent last.
 */
const readRecordedRows = async (report: string, options: ReportOptions): Promise<(row: Row) => boolean> => {
  const { database, appId } = options
  /** The hash of each row by `rowKey`; empty for rows that were not recorded. */
  const hashes = new DiskMap(database, 'recorded')
  for await (const line of readReportLines(report)) {
    if (line.app_id !== appId || line.dry_run) continue
    hashes.set(rowKey(line, line.id), isRecorded(line.outcome) ? line.hash : '')
    requireSameOptions(report, line, options)
  }
  return (row) => {
    const id = idOf(row)
    const resentKey = `again ${row.type} ${id}`
    const isSame = hashes.get(rowKey(row, id)) === rowHash(row) && hashes.get(resentKey) === undefined
    if (!isSame) hashes.set(resentKey, '')
    return isSame
  }
}

const reportLine = (row: Row, result: Result, { appId, isDryRun }: ReportOptions): ReportLine => {
  const { row: number, file, type, conversions = [], notationOptions = [] } = row
  return {
    // A line begins with this member; see `LINE_START`.
    row: number,
    file,
    type,
    id: idOf(row),
    ...result,
    hash: rowHash(row),
    app_id: appId,
    ...(isDryRun ? { dry_run: true } : {}),
    ...(conversions.length > 0 ? { read: conversions } : {}),
    ...(notationOptions.length > 0 ? { read_with: notationOptions } : {}),
  }
}

/** The beginning of every line of a report. */
const LINE_START = '{"row":'

/** Throws Error if a file is not a report: writing to it would damage it, and it might be the file to import. */
const requireReport = (fd: number): void => {
  if (!fstatSync(fd).isFile()) throw new Error('it is not a file')
  const start = Buffer.alloc(LINE_START.length)
  const bytes = readSync(fd, start, 0, start.length, 0)
  // An empty file is a new report.
  if (!LINE_START.startsWith(start.toString('latin1', 0, bytes)))
    throw new Error('it exists and is not a report')
}

const cannotWrite = (file: string, reason: string, cause: unknown): CommandError =>
  new CommandError(`cannot write the report "${file}": ${reason}`, { cause })

/** Only the owner can read a report, because its errors may quote the content of rows. */
const MODE = 0o600
/** Windows does not have this flag. */
const FOLLOW_NO_LINK = constants.O_NOFOLLOW ?? 0
const APPEND_OR_CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | FOLLOW_NO_LINK
const APPEND_TO_NEW = APPEND_OR_CREATE | constants.O_EXCL

/** By the code of the system's error. */
const openProblems: Readonly<Record<string, string>> = {
  EEXIST: 'it exists, and a dry run needs a new one',
  ELOOP: 'it is a symbolic link',
}

const openReportFile = (file: string, mustBeNew: boolean): number => {
  try {
    const fd = openSync(file, mustBeNew ? APPEND_TO_NEW : APPEND_OR_CREATE, MODE)
    requireReport(fd)
    // The file may have existed with another mode.
    fchmodSync(fd, MODE)
    return fd
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw cannotWrite(file, openProblems[code ?? ''] ?? message, cause)
  }
}

/** How much of the end of a report is searched for an incomplete line: a line is shorter. */
const TAIL_BYTES = 1024 * 1024

/** Removes an incomplete last line, which a killed process leaves behind. */
const removeIncompleteLine = (fd: number): void => {
  const { size } = fstatSync(fd)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  const tailStart = size - tail.length
  readSync(fd, tail, 0, tail.length, tailStart)
  ftruncateSync(fd, tailStart + tail.lastIndexOf('\n') + 1)
}

/** Throws CommandError for a file that is not a report, or that exists although it must be new. */
const openFile = (file: string, mustBeNew: boolean) => {
  const fd = openReportFile(file, mustBeNew)
  removeIncompleteLine(fd)
  let failure: CommandError | undefined
  return {
    isEmpty: fstatSync(fd).size === 0,
    /** Throws CommandError if that fails, and then at every call: nothing may follow an incomplete line. */
    append: (line: object): void => {
      if (failure) throw failure
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
      try {
        let written = 0
        while (written < bytes.length) written += writeSync(fd, bytes, written)
      } catch (cause) {
        failure = cannotWrite(file, (cause as Error).message, cause)
        throw failure
      }
    },
    close: (): void => closeSync(fd),
  }
}

/**
 * Opens a report to append to; undefined if `options` name no file. Throws CommandError if the file cannot be used, or lists rows of
 * the files to import that were read with other options than now.
 */
export const openReport = async (options: ReportOptions) => {
  const { report, isDryRun } = options
  if (report === undefined) return undefined
  // A run could not resume from a report that contains a dry run.
  const file = openFile(report, isDryRun)
  const isRecordedRow = file.isEmpty ? () => false : await readRecordedRows(report, options)
  return {
    isRecorded: isRecordedRow,
    write: (row: Row, result: Result): void => file.append(reportLine(row, result, options)),
    close: file.close,
  }
}
