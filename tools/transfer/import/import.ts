import type { ClientOptions } from '../../../client/options.ts'
import { CommandError } from '../../cli/command.ts'
import { addSkipped, countReason, type ImportCounts, isRecorded, newCounts, sentRows } from '../counts.ts'
import { isUpdatable, PASSES, passOf } from '../creates.ts'
import { openDiskMap } from '../disk-map.ts'
import { type Format, openSources, type ReadOptions, type Source, type Sources } from '../formats/source.ts'
import type { Row, RowResult } from '../row.ts'
import { processRows } from './concurrent-rows.ts'
import type { ImportProgress } from './import-progress.ts'
import { openReport } from './report.ts'
import { rowSender } from './row-sender.ts'
import { connect, type Service } from './service.ts'

/** The input and the options of an import. */
export interface ImportSettings extends ReadOptions {
  /** `-` stands for `input`. */
  readonly files: readonly string[]
  /** By default `csv` for names that end in `.csv` or `.csv.gz`, `ndjson` for all others. */
  readonly format: Format | undefined
  readonly updates: boolean
  /** Whether to predict the outcome of every row and record nothing. */
  readonly isDryRun: boolean
  /** The file to which a line of JSON is appended for each row. The next run with the same file skips recorded rows. */
  readonly report: string | undefined
  readonly concurrency: number
  readonly progress: ImportProgress
}

/** Counts the rows. Returns the sources that have rows in each pass. */
const countRows = async (
  sources: readonly Source[],
  { progress }: ImportSettings,
  counts: ImportCounts,
): Promise<Source[][]> => {
  const sourcesOfPass: Source[][] = Array.from({ length: PASSES }, () => [])
  for (const source of sources) {
    const passes = new Set<number>()
    for await (const row of source.rows()) {
      if (row.skip !== undefined) {
        countReason(counts.skipped, row.skip)
        if (row.skippedSum) addSkipped(counts, row.skip, row.skippedSum)
      } else {
        if (row.problem !== undefined) countReason(counts.unusable, row.problem)
        for (const what of row.leftOut ?? []) countReason(counts.left_out, what)
        counts.rows += 1
        for (const text of row.read ?? []) progress.showRead(text)
        passes.add(passOf(row.type ?? ''))
      }
      progress.showCounts(counts)
    }
    for (const pass of passes) sourcesOfPass[pass]?.push(source)
  }
  return sourcesOfPass
}

async function* rowsOf(sources: readonly Source[], pass: number, updates: boolean): AsyncGenerator<Row> {
  for (const source of sources)
    for await (const row of source.rows())
      if (row.skip === undefined && passOf(row.type ?? '') === pass)
        yield updates && isUpdatable(row.type) && !row.isErased ? { ...row, updates } : row
}

const unsent = (problem: string): RowResult => ({ outcome: 'invalid', server_id: null, errors: [problem] })

const importSources = async (
  { all, recorded }: Sources,
  service: Service,
  settings: ImportSettings,
): Promise<ImportCounts> => {
  const counts = newCounts()
  const sourcesOfPass = await countRows(all, settings, counts)
  settings.progress.showUnsent(counts)
  const report = await openReport(settings, service.appId)
  const send = rowSender(service)
  const startedAt = performance.now()
  const process = async (row: Row): Promise<void> => {
    if (report?.isRecorded(row)) {
      counts.resumed += 1
      recorded(row)
      return
    }
    const result = row.problem === undefined ? await send(row) : unsent(row.problem)
    report?.write(row, result)
    counts[result.outcome] += 1
    counts.seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const { file, row: number, type, id } = row
    if (isRecorded(result.outcome)) recorded(row)
    else settings.progress.showRefused({ file, row: number, type, id, ...result })
    settings.progress.showCounts(counts)
  }
  try {
    for (const [pass, sources] of sourcesOfPass.entries())
      await processRows(rowsOf(sources, pass, settings.updates), process, service.limiter)
  } finally {
    report?.close()
  }
  const ended = sentRows(counts) + counts.resumed
  if (ended !== counts.rows)
    throw new CommandError(
      `${ended} rows were found after ${counts.rows} were counted: the files have changed`,
    )
  return counts
}

/**
 * Imports the rows of files in one pass per level of references: referenced entities first. Throws CommandError if it cannot
 * continue; it can be run again.
 */
export const importFrom = async (settings: ImportSettings, access: ClientOptions): Promise<ImportCounts> => {
  const service = await connect(access, settings)
  const sources = await openSources(settings.files, settings.format, settings)
  const known = settings.isDryRun ? await openDiskMap() : undefined
  try {
    if (!known) return await importSources(sources, service, settings)
    // With the service's own checks and the SDK, it takes half of the time in which the command would start.
    const { dryRun } = await import('./dry-run.ts')
    return await importSources(sources, dryRun(service, known), settings)
  } finally {
    known?.close()
    sources.close()
  }
}
