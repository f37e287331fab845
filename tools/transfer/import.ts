import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../local/settings.ts'
import { PASSES, passOf } from './creates.ts'
import { deliverer, type Verdict } from './deliver.ts'
import { isSettled } from './persist.ts'
import { openReport, type Report } from './report.ts'
import type { Row } from './row.ts'
import { scheduled } from './schedule.ts'
import type { Source } from './source.ts'
import { Count, isWell, type Tally } from './tally.ts'
import type { Target } from './target.ts'

export interface ImportSettings {
  /** The report's file, to add to and to go on from. */
  readonly report?: string | undefined
  /** Whether the target only pretends. */
  readonly dryRun: boolean
  readonly concurrency: number
  readonly patience: number
  /** Told when all rows are counted, before the first is sent. */
  readonly surveyed: (tally: Tally) => void
  /** Told of every change of how the import stands. */
  readonly progress: (tally: Tally) => void
  /** Told of each row that is not recorded. */
  readonly refused: (row: Row, verdict: Verdict) => void
}

const UNREACHABLE_MILLIS = 5_000

/** Makes sure, before anything is read, that the target answers and takes the credentials. Throws StartError. */
const greet = async (target: Target): Promise<void> => {
  const begun = performance.now()
  for (;;) {
    const answer = await target.send('GET', '/api/products?limit=1')
    const { status, text } = answer
    if (status === 401) throw new StartError(`${target.name} refuses the application id and the API key`)
    if (isSettled(answer) && status === 200) return
    if (isSettled(answer)) throw new StartError(`${target.name} answers ${status}`)
    if (performance.now() - begun > UNREACHABLE_MILLIS)
      throw new StartError(`${target.name} does not answer as this service does (${status || text})`)
    await pause(500)
  }
}

/** Counts all rows before the first is sent. Returns the sources of each pass. */
const survey = async (
  sources: readonly Source[],
  settings: ImportSettings,
  count: Count,
): Promise<Source[][]> => {
  const found: Source[][] = Array.from({ length: PASSES }, () => [])
  for (const source of sources) {
    const passes = new Set<number>()
    for await (const row of source.rows()) {
      if (row.skip !== undefined) count.reason('skipped', row.skip)
      else {
        if (row.problem !== undefined) count.reason('unusable', row.problem)
        count.rows += 1
        passes.add(passOf(row.type ?? ''))
      }
      settings.progress(count)
    }
    for (const pass of passes) found[pass]?.push(source)
  }
  return found
}

async function* rowsOf(
  sources: readonly Source[],
  pass: number,
  report: Report,
  count: Count,
): AsyncGenerator<Row> {
  for (const source of sources)
    for await (const row of source.rows()) {
      if (row.skip !== undefined || passOf(row.type ?? '') !== pass) continue
      if (report.isDone(row)) count.resumed += 1
      else yield row
    }
}

const unsent = ({ problem = '' }: Row): Verdict => ({
  outcome: 'invalid',
  server_id: null,
  errors: [problem],
})

/**
 * Creates everything in the sources on the target: first what is referred to, then what refers to it, in one pass over
 * the files each. A row is refused alone; throws StartError where the import cannot go on, and then may be run again.
 */
export const importRows = async (
  sources: readonly Source[],
  target: Target,
  settings: ImportSettings,
): Promise<Tally> => {
  await greet(target)
  const count = new Count()
  const passes = await survey(sources, settings, count)
  settings.surveyed(count)
  const report = await openReport(settings.report, { appId: target.appId, dryRun: settings.dryRun })
  const ended = new AbortController()
  const deliver = deliverer(target, { ...settings, signal: ended.signal })
  const work = async (row: Row): Promise<void> => {
    const verdict = row.problem === undefined ? await deliver(row) : unsent(row)
    report.write(row, verdict)
    count[verdict.outcome] += 1
    if (!isWell(verdict.outcome)) settings.refused(row, verdict)
    settings.progress(count)
  }
  try {
    count.begin()
    for (const [pass, some] of passes.entries())
      await scheduled(rowsOf(some, pass, report, count), work, (error) => ended.abort(error))
  } finally {
    report.close()
  }
  return { ...count, seconds: count.seconds }
}
