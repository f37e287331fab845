import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportApplication, type Manifest } from '../../tools/transfer/export/export.ts'
import { interceptCalls } from '../support/database/intercepted-calls.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import type { Client } from '../support/requests/service.ts'

export interface Export {
  readonly folder: string
  readonly manifest: Manifest
  /** The lines of each file, by the name of their resource. */
  readonly lines: Readonly<Record<string, string[]>>
  readonly paths: readonly string[]
}

export const exportAs = async ({ credentials }: Client, customer?: string): Promise<Export> => {
  const folder = join(temporaryFolder(), 'out')
  const show = () => undefined
  const manifest = await exportApplication({ app: credentials.app_id, customer, folder, show })
  const lines: Record<string, string[]> = {}
  for (const { file, type } of manifest.files)
    lines[type] = readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)
  return { folder, manifest, lines, paths: manifest.files.map(({ file }) => join(folder, file)) }
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check the types of the data
export const parsedLines = ({ lines }: Export, type: string): any[] =>
  lines[type]!.map((line) => JSON.parse(line))

// biome-ignore lint/suspicious/noExplicitAny: as above
export const dataIn = (exported: Export, type: string): any[] =>
  parsedLines(exported, type).map(({ data }) => data)

export const sortedLines = ({ lines }: Export) =>
  Object.fromEntries(Object.entries(lines).map(([type, ofType]) => [type, ofType.toSorted()]))

/** Calls `before` before each query of a list, and replaces the items of its response by the result of `after`. */
export const aroundQueries = (
  before: (list: string) => Promise<unknown>,
  after: (items: Record<string, unknown>[]) => Record<string, unknown>[] = (items) => items,
): void =>
  interceptCalls(async ({ command, input }, proceed) => {
    if (command !== 'QueryCommand') return proceed()
    await before(input.ExpressionAttributeValues[':list'].split('#')[1])
    const output = await proceed()
    return { ...output, Items: after(output.Items) }
  })
