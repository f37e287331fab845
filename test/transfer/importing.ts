import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runImport } from '../../tools/transfer/import/import-command.ts'
import type { ReportLine } from '../../tools/transfer/import/report.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import type { Client } from '../support/requests/service.ts'

/** A resource, the body of a create, and whether it is a customer who was anonymised. */
export type Entry = readonly [type: string, data: unknown, erased?: true]

/** Returns a line of NDJSON for each entry. */
export const ndjson = (entries: readonly Entry[]): string =>
  entries.map(([type, data, erased]) => `${JSON.stringify({ type, data, erased })}\n`).join('')

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

/** Returns the lines of a report. */
export const linesOf = (report: string): ReportLine[] =>
  readFileSync(report, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ReportLine)

/** Returns the outcome of each row by `type id`, from its last line in the report. */
export const outcomesIn = (report: string): Record<string, string> =>
  Object.fromEntries(linesOf(report).map(({ type, id, outcome }) => [`${type} ${id}`, outcome]))

/** Runs the import in this process with an environment; returns its counts and the text that it showed. */
export const importWith = async (env: NodeJS.ProcessEnv, args: readonly string[], input = '') => {
  let shown = ''
  const screen = { write: (text: string) => (shown += text) }
  const counts = await runImport(args, { env, input: Readable.from([Buffer.from(input)]), screen })
  return { counts, shown }
}

/** Runs the import with a client's credentials. */
export const importAs = ({ credentials, baseUrl }: Client, args: readonly string[], input?: string) => {
  const { app_id: BILLING_APP_ID, api_key: BILLING_API_KEY } = credentials
  return importWith({ BILLING_URL: baseUrl, BILLING_APP_ID, BILLING_API_KEY }, args, input)
}
