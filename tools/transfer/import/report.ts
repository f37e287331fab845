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
import { isRecord } from '../../../shared/contract/schema.ts'
import { CommandError } from '../../cli/command.ts'
import { isRecorded } from '../counts.ts'
import { type DiskMap, openDiskMap } from '../disk-map.ts'
import { exactJsonIn } from '../exact-json.ts'
import { type Notation, optionTexts } from '../formats/csv/notation.ts'
import { linesIn } from '../lines.ts'
import { type ReportedRow, type Row, type RowResult, rowHash } from '../row.ts'

export interface ReportLine extends ReportedRow {
  /** The hash of the row's content: a later run skips a recorded row only if its content is the same. */
  readonly hash: string
  readonly app_id: string
  readonly dry_run?: true
  readonly read?: readonly string[]
  readonly read_with?: readonly string[]
}

interface ReportOptions {
  readonly report: string | undefined
  readonly isDryRun: boolean
  readonly files: readonly string[]
  readonly notation: Notation
}

const TAIL_BYTES = 1024 * 1024

/** Returns the key of a row with its entity, since an object of Stripe may be several entities. */
const rowKey = ({ file, row, type, id }: Omit<ReportedRow, keyof RowResult>): string =>
  JSON.stringify([row, type, id, file])

/** Removes an incomplete last line, which a killed process leaves behind. */
const removeIncompleteLine = (fd: number): void => {
  const { size } = fstatSync(fd)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  readSync(fd, tail, 0, tail.length, size - tail.length)
  ftruncateSync(fd, size - tail.length + tail.lastIndexOf('\n') + 1)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)

/** Returns a line of a report; undefined for a text that no import writes. */
const reportLineIn = (text: string): ReportLine | undefined => {
  const line = exactJsonIn(text)
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

async function* reportLines(report: string): AsyncGenerator<ReportLine> {
  let number = 0
  for await (const text of linesIn(createReadStream(report))) {
    number += 1
    const line = reportLineIn(String(text))
    if (!line)
      throw new CommandError(
        `line ${number} of the report "${report}" is not one that an import writes: begin a new report`,
      )
    yield line
  }
}

const readRecorded = async (
  report: string,
  appId: string,
  { files, notation }: ReportOptions,
): Promise<DiskMap> => {
  const current = optionTexts(notation)
  const recorded = await openDiskMap()
  for await (const line of reportLines(report)) {
    const { outcome, hash, app_id, dry_run, read_with = [], file } = line
    if (app_id !== appId || dry_run) continue
    recorded.set(rowKey(line), isRecorded(outcome) ? hash : '')
    const other = read_with.find((text) => !current.includes(text))
    if (other !== undefined && isRecorded(outcome) && files.includes(file))
      throw new CommandError(
        `the report "${report}" has rows of "${file}" that were recorded with ${other}: give the same options, or begin a new report`,
      )
  }
  return recorded
}

/** The beginning of every line of a report. */
const BEGINNING = '{"row":'

/** Throws Error if a file is not a report. It may be a file to import, and would be damaged. */
const checkIsReport = (fd: number): void => {
  if (!fstatSync(fd).isFile()) throw new Error('it is not a file')
  const start = Buffer.alloc(BEGINNING.length)
  const text = start.toString('latin1', 0, readSync(fd, start, 0, start.length, 0))
  if (!BEGINNING.startsWith(text)) throw new Error('it exists and is not a report')
}

const unwritable = (file: string, cause: unknown): CommandError =>
  new CommandError(`cannot write the report "${file}": ${(cause as Error).message}`, { cause })

/** Only the owner can read a report: its errors may quote what rows contain. */
const MODE = 0o600
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants
/** Creates a file or appends to one, and follows no link. Windows has no such flag. */
const APPEND = O_RDWR | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0)

const open = (file: string, isDryRun: boolean): number => {
  try {
    // A run could not resume from a report with lines of a dry run.
    const fd = openSync(file, isDryRun ? APPEND | constants.O_EXCL : APPEND, MODE)
    checkIsReport(fd)
    // The file may have existed with another mode.
    fchmodSync(fd, MODE)
    return fd
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EEXIST: 'it exists, and a dry run needs a new one',
      ELOOP: 'it is a symbolic link',
    }
    throw unwritable(file, new Error(reasons[code ?? ''] ?? message, { cause }))
  }
}

/** Returns a function that appends lines. After a failure it throws again, since nothing may follow an incomplete line. */
const lineWriter = (fd: number, file: string) => {
  let failure: CommandError | undefined
  return (line: ReportLine): void => {
    if (failure) throw failure
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    } catch (cause) {
      failure = unwritable(file, cause)
      throw failure
    }
  }
}

/** Returns whether an earlier run recorded this row with the same content. */
const isRecordedIn = (recorded: DiskMap, row: Row): boolean => {
  // After a row that is sent again, so are all later rows with its id, since the last update of an entity counts.
  const again = `again ${row.type} ${row.id}`
  const isSame = recorded.get(rowKey(row)) === rowHash(row) && recorded.get(again) === undefined
  if (!isSame) recorded.set(again, '')
  return isSame
}

/**
 * Opens a report to append to. Without a file, returns undefined. Throws CommandError if the file cannot be used, or has rows that
 * an earlier run recorded otherwise than this one would read them.
 */
export const openReport = async (options: ReportOptions, appId: string) => {
  const { report: file, isDryRun } = options
  if (file === undefined) return undefined
  const fd = open(file, isDryRun)
  removeIncompleteLine(fd)
  const recorded = fstatSync(fd).size > 0 ? await readRecorded(file, appId, options) : undefined
  const writeLine = lineWriter(fd, file)
  const run = { app_id: appId, ...(isDryRun ? ({ dry_run: true } as const) : {}) }
  return {
    isRecorded: (row: Row): boolean => recorded !== undefined && isRecordedIn(recorded, row),
    write: (row: Row, result: RowResult): void => {
      const { row: number, file, type, id, read = [], readWith = [] } = row
      const reading = {
        ...(read.length > 0 ? { read } : {}),
        ...(readWith.length > 0 ? { read_with: readWith } : {}),
      }
      writeLine({ row: number, file, type, id, ...result, hash: rowHash(row), ...run, ...reading })
    },
    close: (): void => {
      closeSync(fd)
      recorded?.close()
    },
  }
}
