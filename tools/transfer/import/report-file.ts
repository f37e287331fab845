import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { CommandError } from '../../cli/command.ts'

/** The beginning of every line of a report. */
const LINE_START = '{"row":'

/** Throws Error for another file: it could be one to import, and would be damaged. */
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

export class ReportFile {
  readonly #file: string
  readonly #fd: number
  #failure: CommandError | undefined

  /** Throws CommandError for a file that is not a report, or that exists although it must be new. */
  constructor(file: string, { mustBeNew }: { readonly mustBeNew: boolean }) {
    this.#file = file
    this.#fd = openReportFile(file, mustBeNew)
    removeIncompleteLine(this.#fd)
  }

  get isEmpty(): boolean {
    return fstatSync(this.#fd).size === 0
  }

  /** Throws CommandError if that fails, and then at every call: nothing may follow an incomplete line. */
  append(line: object): void {
    if (this.#failure) throw this.#failure
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      let written = 0
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written)
    } catch (cause) {
      this.#failure = cannotWrite(this.#file, (cause as Error).message, cause)
      throw this.#failure
    }
  }

  close(): void {
    closeSync(this.#fd)
  }
}
