import type { DatabaseSync } from 'node:sqlite'
import type { ClientOptions } from '../../../client/options.ts'
import { isUpdatable } from '../create-endpoints.ts'
import type { Draft } from '../draft.ts'
import { type ReadOptions, readDrafts } from '../formats/read-drafts.ts'
import { openRunDatabase } from '../run-database.ts'
import { processRows } from './concurrent-rows.ts'
import { countReason, countRow, type ImportCounts, newCounts } from './counts.ts'
import type { ImportProgress } from './import-progress.ts'
import { withoutRefusedPrices } from './invoice-prices.ts'
import { PASSES } from './passes.ts'
import { openReport } from './report.ts'
import { type Row, toRow } from './row.ts'
import { isRefused } from './row-result.ts'
import { rowSender } from './row-sender.ts'
import { type RowStore, rowStore } from './row-store.ts'
import { connect, type Service } from './service.ts'

/** The input and the options of an import. */
export interface ImportSettings extends ReadOptions {
  /** Whether to update recorded entities to the values of their rows, where their resource allows it. */
  readonly updates: boolean
  /** Whether to predict the outcome of every row and record nothing. */
  readonly isDryRun: boolean
  /** The file to which a line of JSON is appended for each row. The next run with the same file skips recorded rows. */
  readonly report: string | undefined
  /** The maximum number of concurrent requests. */
  readonly concurrency: number
  readonly progress: ImportProgress
}

const rowFrom = (draft: Draft, { updates }: ImportSettings): Row => {
  const row = toRow(draft)
  const isUpdate = updates && row.type !== null && isUpdatable(row.type) && !row.isErased
  return isUpdate ? { ...row, isUpdate: true } : row
}

/** Reads and counts the rows of all files, and stores the rows to send. */
const storeRows = async (
  settings: ImportSettings,
  store: RowStore,
  database: DatabaseSync,
): Promise<ImportCounts> => {
  const { files, progress } = settings
  const counts = newCounts()
  const fileIndexes = new Map(files.map((file, index) => [file, index]))
  for await (const draft of readDrafts(settings, database)) {
    const row = rowFrom(draft, settings)
    countRow(counts, row)
    for (const conversion of row.conversions ?? []) progress.showConversion(conversion)
    progress.showCounts(counts)
    if (row.skipReason === undefined) store.add(fileIndexes.get(row.file)!, row)
  }
  return counts
}

/** Returns the time since a start, in seconds, rounded to tenths. */
const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10

/** Sends the stored rows, one pass after another, and counts their outcomes. */
const sendRows = async (
  store: RowStore,
  counts: ImportCounts,
  service: Service,
  settings: ImportSettings & { readonly database: DatabaseSync },
): Promise<void> => {
  const { progress } = settings
  const report = await openReport({ ...settings, appId: service.appId })
  const send = rowSender(service)
  const start = performance.now()
  const refusedPrices = new Set<string>()
  /** The number of rows whose precondition did not hold, by reason. */
  const skipped: Record<string, number> = {}
  const processRow = async (row: Row): Promise<void> => {
    if (report?.isRecorded(row)) {
      counts.resumed += 1
      return
    }
    const sent = await send(withoutRefusedPrices(row, refusedPrices))
    counts.seconds = secondsSince(start)
    if ('skipReason' in sent) {
      counts.rows -= 1
      countReason(counts.skipped, sent.skipReason)
      countReason(skipped, sent.skipReason)
    } else {
      report?.write(row, sent)
      counts[sent.outcome] += 1
      if (isRefused(sent.outcome)) {
        const { file, row: number, type, id } = row
        progress.showRefused({ file, row: number, type, id, ...sent })
        if (type === 'price') refusedPrices.add(String(id))
      }
    }
    progress.showCounts(counts)
  }
  try {
    for (let pass = 0; pass < PASSES; pass += 1)
      await processRows(store.rowsOf(pass), processRow, service.limiter)
    progress.showSkipped(skipped)
  } finally {
    report?.close()
  }
}

/**
 * Imports the rows of files. Each file is read once; then the rows are sent, one pass for each level of references: an entity
 * before the entities that refer to it. Throws CommandError if it cannot continue; it can then be run again.
 */
export const importFrom = async (settings: ImportSettings, access: ClientOptions): Promise<ImportCounts> => {
  const { isDryRun, progress } = settings
  const connected = await connect(access, settings)
  const database = await openRunDatabase()
  try {
    // Imported only for a dry run: it loads the service's validators and the AWS SDK, half of the time in which the command starts.
    const service = isDryRun ? (await import('./dry-run.ts')).dryRun(connected, database) : connected
    const store = rowStore(database)
    const counts = await storeRows(settings, store, database)
    progress.showPrepared(counts)
    await sendRows(store, counts, service, { ...settings, database })
    return counts
  } finally {
    database.close()
  }
}
