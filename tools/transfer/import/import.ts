import type { DatabaseSync } from 'node:sqlite'
import { isTotalOfLines } from '../../../client/analytics/lines/billing-conventions.ts'
import type { ClientOptions } from '../../../client/options.ts'
import { createMayUpdate } from '../../../shared/contract/endpoint.ts'
import { isRecord } from '../../../shared/contract/schema.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { UsageError } from '../../cli/command.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { type ReadOptions, readRows } from '../formats/read-rows.ts'
import { bodyOf, isRecorded, isRefused, type Row } from '../row.ts'
import { openRunDatabase } from '../run-database.ts'
import { processRows } from './concurrent-rows.ts'
import {
  countReason,
  countRow,
  type ImportCounts,
  type ImportProgress,
  newCounts,
} from './import-progress.ts'
import { openReport } from './report.ts'
import { rowSender } from './row-sender.ts'
import { type RowStore, rowStore } from './row-store.ts'
import { connect, type ImportService } from './service.ts'

export interface ImportSettings extends ReadOptions {
  /** Whether to update recorded entities to the values of their rows, where their resource allows it. */
  readonly updates: boolean
  /** Whether to predict the outcome of every row and record nothing. */
  readonly isDryRun: boolean
  /** The file to which a line of JSON is appended for each row. The next run with the same file skips recorded rows. */
  readonly report: string | undefined
  readonly concurrency: number
  readonly progress: ImportProgress
}

/** A row to update its entity. One with nothing but an id would clear all other fields, so it is only created. */
const updateOf = (row: Row): Row => {
  const { type, data, isErased, hints = [] } = row
  const endpoint = createEndpoints.get(type ?? '')
  if (!endpoint || !createMayUpdate(endpoint) || isErased) return row
  const fields = Object.entries(isRecord(data) ? data : {}).filter(([, value]) => value !== undefined)
  if (fields.length > 1) return { ...row, isUpdate: true }
  const hint = `The row has nothing but an id, so --update does not clear the other fields of the ${type}.`
  return { ...row, hints: [...hints, hint] }
}

/** Reads and counts the rows of all files, and stores the rows to send. */
const storeRows = async (
  settings: ImportSettings,
  store: RowStore,
  database: DatabaseSync,
): Promise<ImportCounts> => {
  const { files, updates, progress } = settings
  const counts = newCounts()
  const fileIndexes = new Map(files.map((file, index) => [file, index]))
  for await (const row of readRows(settings, database)) {
    countRow(counts, row)
    for (const conversion of row.conversions ?? []) progress.showConversion(conversion)
    progress.showCounts(counts)
    if (row.result?.outcome === 'skipped') continue
    store.add(fileIndexes.get(row.file)!, updates ? updateOf(row) : row)
  }
  const isEmpty = counts.rows === 0 && Object.keys(counts.skipped).length === 0
  // A pipe may have nothing new.
  if (isEmpty && !files.includes('-')) throw new UsageError(`there are no rows in "${files.join('" or "')}"`)
  return counts
}

/** In seconds, rounded to tenths. */
const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10

/** Sends the stored rows, one pass after another, and counts their outcomes. */
const sendRows = async (
  store: RowStore,
  counts: ImportCounts,
  service: ImportService,
  settings: ImportSettings & { readonly database: DatabaseSync },
): Promise<void> => {
  const { progress } = settings
  const report = await openReport({ ...settings, appId: service.appId })
  const send = rowSender(service)
  const start = performance.now()
  /** The number of rows whose precondition did not hold, by reason. */
  const skipped: Record<string, number> = {}
  const processRow = async (row: Row): Promise<void> => {
    if (report?.isRecorded(row)) {
      counts.resumed += 1
      return
    }
    const result = await send(row)
    const { outcome, errors } = result
    counts.seconds = secondsSince(start)
    if (outcome === 'skipped') {
      counts.rows -= 1
      for (const reason of errors) {
        countReason(counts.skipped, reason)
        countReason(skipped, reason)
      }
    } else {
      report?.write(row, result)
      counts[outcome] += 1
      if (row.type === invoice.name && isRecorded(outcome) && !isTotalOfLines(JSON.parse(bodyOf(row))))
        counts.unequal_totals += 1
      if (isRefused(outcome)) progress.showRefused(row, result)
    }
    progress.showCounts(counts)
  }
  try {
    for (const rows of store.passes()) await processRows(rows, processRow, service.limiter)
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
