import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../local/settings.ts'
import { processRows } from './concurrent-rows.ts'
import { Counter, isRecorded } from './counts.ts'
import { PASSES, passOf } from './creates.ts'
import { dryRun } from './dry-run.ts'
import type { HttpAccess } from './http-target.ts'
import type { ImportCounts, ImportFilesOptions, RowResult } from './options.ts'
import { openReport, type Report } from './report.ts'
import { isFinal } from './retrying.ts'
import type { Row } from './row.ts'
import { rowSender } from './row-sender.ts'
import { openSources, type Source } from './source.ts'
import type { Target } from './target.ts'

/** How to import: the public options, without the target. */
export interface ImportSettings extends Omit<ImportFilesOptions, keyof HttpAccess> {
  /** Called when all rows are counted, before the first is sent. */
  readonly onCounted?: (counts: ImportCounts) => void
}

/** What to import: files, of which `-` is `input`. */
export interface Input {
  readonly files: readonly string[]
  readonly input: NodeJS.ReadableStream
}

export const MAX_CONCURRENCY = 1_000
const DEFAULT_CONCURRENCY = 64
const UNREACHABLE_MILLIS = 5_000
const UNREACHABLE_RETRY_MILLIS = 500

/** Checks that the target answers and accepts the credentials. Throws StartError. */
const checkTarget = async (target: Target): Promise<void> => {
  const startedAt = performance.now()
  for (;;) {
    const answer = await target.send('GET', '/api/products?limit=1')
    const { status, text } = answer
    if (status === 401) throw new StartError(`${target.name} refuses the application id and the API key`)
    if (isFinal(answer) && status === 200) return
    if (isFinal(answer)) throw new StartError(`${target.name} answers ${status}`)
    if (performance.now() - startedAt > UNREACHABLE_MILLIS)
      throw new StartError(
        `${target.name} does not answer as this service does (${status || text.split('\n')[0]})`,
      )
    await pause(UNREACHABLE_RETRY_MILLIS)
  }
}

/** Counts the rows. Returns the sources of each pass. */
const countRows = async (
  sources: readonly Source[],
  { onProgress }: ImportSettings,
  counter: Counter,
): Promise<Source[][]> => {
  const sourcesOfPass: Source[][] = Array.from({ length: PASSES }, () => [])
  for (const source of sources) {
    const passes = new Set<number>()
    for await (const row of source.rows()) {
      if (row.skip !== undefined) counter.countReason('skipped', row.skip)
      else {
        if (row.problem !== undefined) counter.countReason('unusable', row.problem)
        counter.rows += 1
        passes.add(passOf(row.type ?? ''))
      }
      onProgress?.(counter)
    }
    for (const pass of passes) sourcesOfPass[pass]?.push(source)
  }
  return sourcesOfPass
}

/** The rows of a pass that are still to be sent. */
async function* rowsOf(
  sources: readonly Source[],
  pass: number,
  report: Report,
  counter: Counter,
): AsyncGenerator<Row> {
  for (const source of sources)
    for await (const row of source.rows()) {
      if (row.skip !== undefined || passOf(row.type ?? '') !== pass) continue
      if (report.isRecorded(row)) counter.resumed += 1
      else yield row
    }
}

const unsent = (problem: string): RowResult => ({ outcome: 'invalid', server_id: null, errors: [problem] })

const importSources = async (
  sources: readonly Source[],
  target: Target,
  settings: ImportSettings,
): Promise<ImportCounts> => {
  await checkTarget(target)
  const counter = new Counter()
  const sourcesOfPass = await countRows(sources, settings, counter)
  settings.onCounted?.(counter)
  const { dryRun = false, concurrency = DEFAULT_CONCURRENCY, onProgress, onRefused } = settings
  const report = await openReport(settings.report, { appId: target.appId, dryRun })
  const failed = new AbortController()
  const send = rowSender(target, { concurrency, signal: failed.signal })
  const process = async (row: Row): Promise<void> => {
    const result = row.problem === undefined ? await send(row) : unsent(row.problem)
    report.write(row, result)
    counter[result.outcome] += 1
    const { file, row: number, type, id } = row
    if (!isRecorded(result.outcome)) onRefused?.({ file, row: number, type, id, ...result })
    onProgress?.(counter)
  }
  try {
    counter.startClock()
    for (const [pass, some] of sourcesOfPass.entries())
      await processRows(rowsOf(some, pass, report, counter), process, failed)
  } finally {
    report.close()
  }
  if (counter.ended !== counter.rows)
    throw new StartError(
      `${counter.ended} rows were found after ${counter.rows} were counted: the files have changed`,
    )
  return counter.snapshot()
}

/**
 * Imports the rows of files into a target: first what others refer to, then what refers to it, in a pass over the files
 * each. Throws StartError when it cannot go on; it may be run again.
 */
export const importFrom = async (
  { files, input }: Input,
  openTarget: () => Promise<Target>,
  settings: ImportSettings,
): Promise<ImportCounts> => {
  const sources = openSources(files, settings.format, input)
  try {
    const target = settings.dryRun ? await dryRun(openTarget) : await openTarget()
    try {
      return await importSources(sources.all, target, settings)
    } finally {
      await target.close()
    }
  } finally {
    await sources.close()
  }
}
