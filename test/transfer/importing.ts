import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runImport } from '../../tools/transfer/import/import-command.ts'
import type { ReportLine } from '../../tools/transfer/import/report.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { type Client, newClient } from '../support/requests/service.ts'

/** A resource, the body of a create, and whether it is a customer who was anonymised. */
export type Entry = readonly [type: string, data: unknown, erased?: true]

export const ndjson = (entries: readonly Entry[]): string =>
  entries.map(([type, data, erased]) => `${JSON.stringify({ type, data, erased })}\n`).join('')

export type Contents = Readonly<Record<string, string | Uint8Array>>

/** The paths of files to import, and of a report that does not exist yet. */
export interface ImportFiles {
  readonly paths: readonly string[]
  readonly report: string
}

/** Writes files into a new folder. Returns their paths in the same order. */
export const writeFiles = (contents: Contents): ImportFiles => {
  const folder = temporaryFolder()
  const paths = Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  })
  return { paths, report: join(folder, 'report.ndjson') }
}

export const reportLines = (report: string): ReportLine[] => {
  const lines = readFileSync(report, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as ReportLine)
}

/** Returns the last outcome of each row in a report by its entity, such as `customer 42`. */
export const reportedOutcomes = (report: string): Record<string, string> =>
  Object.fromEntries(reportLines(report).map(({ type, id, outcome }) => [`${type} ${id}`, outcome]))

/** Runs the command in this process with an environment. Returns its counts and the text that it showed. */
export const importWith = async (env: NodeJS.ProcessEnv, args: readonly string[], input = '') => {
  let shown = ''
  const screen = { write: (text: string) => (shown += text) }
  const counts = await runImport(args, { env, input: Readable.from([Buffer.from(input)]), screen })
  return { counts, shown }
}

/** Runs the command in this process with a client's credentials, as `importWith` does. */
export const importAs = ({ credentials, baseUrl }: Client, args: readonly string[], input?: string) => {
  const { app_id: BILLING_APP_ID, api_key: BILLING_API_KEY } = credentials
  return importWith({ BILLING_URL: baseUrl, BILLING_APP_ID, BILLING_API_KEY }, args, input)
}

/** Imports files with a report. Also returns the lines of the report in the order of the rows, and their errors. */
export const importFiles = async (
  client: Client,
  { paths, report }: ImportFiles,
  ...options: readonly string[]
) => {
  const { counts, shown } = await importAs(client, [...paths, '--report', report, ...options])
  const lines = reportLines(report).sort((a, b) => a.row - b.row)
  return { counts, shown, lines, errors: lines.flatMap(({ errors }) => errors) }
}

export const importContents = (client: Client, contents: Contents, ...options: readonly string[]) =>
  importFiles(client, writeFiles(contents), ...options)

/** Expects that an import, like its dry run, stops with this message before it records anything. */
export const expectStop = async (
  contents: Contents,
  options: readonly string[],
  message: string | RegExp,
): Promise<void> => {
  const client = await newClient()
  for (const dryRun of [['--dry-run'], []])
    await expect(importContents(client, contents, ...options, ...dryRun)).rejects.toThrow(message)
  for (const list of ['products', 'customers', 'prices'])
    expect((await client.get(`/api/${list}`)).json.data[list]).toEqual([])
}

export const recordedEntity = async (
  client: Client,
  plural: string,
  id: string,
  include = '',
): Promise<Readonly<Record<string, unknown>>> => {
  const query = include === '' ? '' : `?include=${include}`
  const { status, json } = await client.get(`/api/${plural}/${encodeURIComponent(id)}${query}`)
  if (status !== 200) throw new Error(`${plural} have no "${id}"; the service responded with ${status}`)
  const [entity] = Object.values(json.data)
  return entity as Readonly<Record<string, unknown>>
}
