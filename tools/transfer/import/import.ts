import type { ClientOptions } from '../../../client/options.ts'
import { countReason, type ImportCounts, isRecorded, newCounts } from '../counts.ts'
import { isUpdatable } from '../creates.ts'
import { openDiskMap } from '../disk-map.ts'
import { type ReadOptions, readDrafts } from '../formats/source.ts'
import { type Row, rowOf } from '../row.ts'
import { processRows } from './concurrent-rows.ts'
import type { ImportProgress } from './import-progress.ts'
import { openReport } from './report.ts'
import { rowSender } from './row-sender.ts'
import { openRowStore, ROW_PASSES, type RowStore } from './row-store.ts'
import { connect, type Service } from './service.ts'

/** The input and the options of an import. */
export interface ImportSettings extends ReadOptions {
  readonly updates: boolean
  /** Whether to predict the outcome of every row and record nothing. */
  readonly isDryRun: boolean
  /** The file to which a line of JSON is appended for each row. The next run with the same file skips recorded rows. */
  readonly report: string | undefined
  readonly concurrency: number
  readonly progress: ImportProgress
}

const countRow = (row: Row, counts: ImportCounts): void => {
  if (row.skip !== undefined) {
    countReason(counts.skipped, row.skip)
    return
  }
  counts.rows += 1
  // Whether a row with a precondition is sent is not known yet.
  if (row.problem !== undefined && !row.precondition) countReason(counts.unusable, row.problem)
  for (const what of row.leftOut ?? []) countReason(counts.left_out, what)
  for (const field of row.fromLines ?? []) countReason(counts.from_lines, field)
}

/** Reads and counts the rows of all files, and stores those to send. */
const storeRows = async (settings: ImportSettings, store: RowStore): Promise<ImportCounts> => {
  const { files, updates, progress } = settings
  const counts = newCounts()
  const indexes = new Map(files.map((file, index) => [file, index]))
  for await (const draft of readDrafts(settings)) {
    const row = rowOf(draft)
    countRow(row, counts)
    for (const text of row.read ?? []) progress.showRead(text)
    progress.showCounts(counts)
    const isUpdate = updates && isUpdatable(row.type) && !row.isErased
    if (row.skip === undefined) store.add(indexes.get(row.file)!, isUpdate ? { ...row, updates } : row)
  }
  return counts
}

type Line = Readonly<Record<string, unknown>>

/** Returns an invoice without the prices of lines that were refused, since it could not be recorded with them. */
const withoutPrices = (row: Row, refused: ReadonlySet<string>): Row => {
  if (!row.keepsPrices || refused.size === 0) return row
  const { line_items = [], ...body } = JSON.parse(row.body) as { readonly line_items?: readonly Line[] }
  const lines = line_items.map(({ price_id, ...line }) =>
    refused.has(String(price_id)) ? line : { ...line, price_id },
  )
  return { ...row, body: JSON.stringify({ ...body, line_items: lines }) }
}

/** Sends the stored rows, one pass after the other, and counts their outcomes. */
const sendRows = async (
  store: RowStore,
  counts: ImportCounts,
  service: Service,
  settings: ImportSettings,
): Promise<void> => {
  const { progress } = settings
  const report = await openReport(settings, service.appId)
  const send = rowSender(service)
  const startedAt = performance.now()
  const refusedPrices = new Set<string>()
  const lateSkips: Record<string, number> = {}
  const process = async (row: Row): Promise<void> => {
    if (report?.isRecorded(row)) {
      counts.resumed += 1
      return
    }
    const sent = await send(withoutPrices(row, refusedPrices))
    counts.seconds = Math.round((performance.now() - startedAt) / 100) / 10
    if ('skip' in sent) {
      counts.rows -= 1
      countReason(counts.skipped, sent.skip)
      countReason(lateSkips, sent.skip)
    } else {
      report?.write(row, sent)
      counts[sent.outcome] += 1
      const { file, row: number, type, id } = row
      const isRefused = !isRecorded(sent.outcome) && sent.outcome !== 'unknown'
      if (isRefused) progress.showRefused({ file, row: number, type, id, ...sent })
      if (isRefused && type === 'price') refusedPrices.add(String(id))
    }
    progress.showCounts(counts)
  }
  try {
    for (let pass = 0; pass < ROW_PASSES; pass += 1)
      await processRows(store.rowsOf(pass), process, service.limiter)
    progress.showReasons('skipped', lateSkips)
  } finally {
    report?.close()
  }
}

const importRows = async (service: Service, settings: ImportSettings): Promise<ImportCounts> => {
  const store = await openRowStore()
  try {
    const counts = await storeRows(settings, store)
    settings.progress.showUnsent(counts)
    await sendRows(store, counts, service, settings)
    return counts
  } finally {
    store.close()
  }
}

/**
 * Imports the rows of files, each of which is read once, in one pass per level of references: referenced entities first. Throws
 * CommandError if it cannot continue; it can be run again.
 */
export const importFrom = async (settings: ImportSettings, access: ClientOptions): Promise<ImportCounts> => {
  const service = await connect(access, settings)
  if (!settings.isDryRun) return importRows(service, settings)
  const known = await openDiskMap()
  try {
    // With the service's own checks and the SDK, it takes half of the time in which the command would start.
    const { dryRun } = await import('./dry-run.ts')
    return await importRows(dryRun(service, known), settings)
  } finally {
    known.close()
  }
}
