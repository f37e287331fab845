import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customerBody } from './bodies.ts'

/** The input of an import: how many customers it records, and the prefix of their ids, which a number follows. */
export interface Import {
  readonly rows: number
  readonly prefix: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Runs the import command. Returns its rows per second, from the first row that it sends to the last. */
export const importRate = async ({ rows, prefix, args, env }: Import): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  try {
    const file = join(folder, 'customers.ndjson')
    const lines = Array.from({ length: rows }, (_, index) =>
      JSON.stringify({ type: 'customer', data: customerBody(`${prefix}-${index}`) }),
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/import.ts', file, ...args], { env })
    const { created, unchanged, seconds } = JSON.parse(stdout)
    // A create whose answer was lost is found by the next attempt.
    const recorded = created + unchanged
    if (recorded !== rows) throw new Error(`${rows - recorded} of ${rows} rows were not recorded`)
    return rows / seconds
  } finally {
    rmSync(folder, { recursive: true })
  }
}
