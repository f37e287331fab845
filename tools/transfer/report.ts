import { closeSync, createReadStream, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { StartError } from '../local/settings.ts'
import type { Verdict } from './deliver.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { linesIn } from './lines.ts'
import { hashOf, type Row } from './row.ts'
import { isWell } from './tally.ts'

/** A line of the report. */
export interface ReportLine extends Verdict {
  readonly row: number
  readonly file: string
  readonly type: string | null
  readonly id: string | number | null
  /** Of the row's content, by which a later run knows it. */
  readonly hash: string
  /** The application that it was sent to. */
  readonly app_id: string
  readonly dry_run?: true
}

/** Where the ends of rows are written, and what is known from earlier runs. */
export interface Report {
  /** Whether an earlier run has recorded this row, with this content. */
  isDone(row: Row): boolean
  write(row: Row, verdict: Verdict): void
  close(): void
}

/** How much is written at once, and how long a line may wait for it. */
const BATCH = { characters: 64 * 1024, millis: 100 }
const TAIL_BYTES = 1024 * 1024

const keyOf = ({ file, row }: { file: string; row: number }, hash: string): string => `${row} ${hash} ${file}`

/** Cuts off a last line that a killed process left unfinished. */
const mend = (fd: number): void => {
  const { size } = fstatSync(fd)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  readSync(fd, tail, 0, tail.length, size - tail.length)
  ftruncateSync(fd, size - tail.length + tail.lastIndexOf('\n') + 1)
}

const parsed = (line: Buffer | undefined): Partial<ReportLine> => {
  try {
    return Object(JSON.parse(line?.toString() ?? ''))
  } catch {
    return {}
  }
}

const readDone = async (file: string, appId: string): Promise<Ledger> => {
  const ledger = await openLedger()
  for await (const line of linesIn(createReadStream(file))) {
    const { row, file: from, outcome, hash, app_id, dry_run } = parsed(line)
    if (app_id !== appId || dry_run || !outcome || !isWell(outcome)) continue
    if (row !== undefined && from !== undefined && hash) ledger.set(keyOf({ row, file: from }, hash), '')
  }
  return ledger
}

const open = (file: string, dryRun: boolean): number => {
  try {
    // A dry run knows nothing of earlier ones, and must not spoil what a run goes on from.
    return openSync(file, dryRun ? 'wx' : 'a+', 0o600)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'it is there already, and a dry run writes a new one' : message
    throw new StartError(`cannot write the report "${file}": ${why}`, { cause })
  }
}

/** Opens a report to add to it; without a file, nothing is written or known. */
export const openReport = async (
  file: string | undefined,
  { appId, dryRun }: { readonly appId: string; readonly dryRun: boolean },
): Promise<Report> => {
  if (file === undefined) return { isDone: () => false, write: () => undefined, close: () => undefined }
  const fd = open(file, dryRun)
  mend(fd)
  const done = fstatSync(fd).size > 0 ? await readDone(file, appId) : undefined
  let lines = ''
  let written = performance.now()
  const flush = () => {
    const bytes = Buffer.from(lines)
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    lines = ''
    written = performance.now()
  }
  const write: Report['write'] = (row, verdict) => {
    const line: ReportLine = {
      ...{ row: row.row, file: row.file, type: row.type, id: row.id, ...verdict },
      ...{ hash: hashOf(row), app_id: appId, ...(dryRun ? { dry_run: true } : {}) },
    }
    lines += `${JSON.stringify(line)}\n`
    if (lines.length > BATCH.characters || performance.now() - written > BATCH.millis) flush()
  }
  const close = () => {
    flush()
    closeSync(fd)
    done?.close()
  }
  return { isDone: (row) => done?.get(keyOf(row, hashOf(row))) !== undefined, write, close }
}
