import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runImport } from '../../tools/transfer/import-command.ts'
import type { ReportLine } from '../../tools/transfer/report.ts'
import type { Client } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A line of NDJSON for each `[type, data]`. */
export const ndjson = (rows: readonly (readonly [string, unknown])[]): string =>
  rows.map(([type, data]) => `${JSON.stringify({ type, data })}\n`).join('')

/** Writes files into a new folder; returns their paths in the same order, and a path for a report. */
export const filesOf = (contents: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = temporaryFolder()
  const paths = Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  })
  return { paths, report: join(folder, 'report.ndjson') }
}

export const linesOf = (report: string): ReportLine[] =>
  readFileSync(report, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ReportLine)

/** The outcome of each row by `type id`, the last line of a row counting. */
export const outcomesIn = (report: string): Record<string, string> =>
  Object.fromEntries(linesOf(report).map(({ type, id, outcome }) => [`${type} ${id}`, outcome]))

/** Runs the import in this process as a client's command does; returns its tally and what it showed. */
export const importAs = async ({ credentials, baseUrl }: Client, args: readonly string[], input = '') => {
  const env = {
    BILLING_URL: baseUrl,
    BILLING_APP_ID: credentials.app_id,
    BILLING_API_KEY: credentials.api_key,
  }
  let shown = ''
  const screen = { write: (text: string) => (shown += text) }
  const tally = await runImport(args, { env, input: Readable.from([Buffer.from(input)]), screen })
  return { tally, shown }
}
