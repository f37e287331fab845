import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportApplication, type Manifest } from '../../tools/transfer/export/export.ts'
import { interceptCalls } from '../support/database/intercepted-calls.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import type { Client } from '../support/requests/service.ts'

/** An export in a folder of its own. */
export interface Export {
  readonly folder: string
  readonly manifest: Manifest
  /** The lines of each file, by the type, and the paths of all files. */
  readonly lines: Readonly<Record<string, string[]>>
  readonly paths: readonly string[]
}

/** Exports an application, or one customer's record. */
export const exported = async ({ credentials }: Client, customer?: string): Promise<Export> => {
  const folder = join(temporaryFolder(), 'out')
  const manifest = await exportApplication({
    app: credentials.app_id,
    customer,
    folder,
    show: () => undefined,
  })
  const texts = manifest.files.map(
    ({ file, type }) => [type, readFileSync(join(folder, file), 'utf8')] as const,
  )
  return {
    folder,
    manifest,
    paths: manifest.files.map(({ file }) => join(folder, file)),
    lines: Object.fromEntries(texts.map(([type, text]) => [type, text.split('\n').slice(0, -1)])),
  }
}
/** Returns the data of all lines of a type. */
// biome-ignore lint/suspicious/noExplicitAny: the tests check the types of the data
export const dataIn = ({ lines }: Export, type: string): any[] =>
  lines[type]!.map((line) => JSON.parse(line).data)

/** Returns all lines, sorted by their text. */
export const sortedLines = ({ lines }: Export) =>
  Object.fromEntries(Object.entries(lines).map(([type, all]) => [type, all.toSorted()]))

/** Does something before each query of a list, and changes its response. */
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
