import { createHash } from 'node:crypto'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The description of an export's file in the manifest. */
export interface Exported {
  readonly file: string
  /** The resource of the lines. */
  readonly type: string
  readonly count: number
  readonly bytes: number
  readonly sha256: string
  /** The sum of the SHA-256 of each line, modulo 2^256: the same for the same lines in any order. */
  readonly lines_sha256: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Creates an NDJSON file that only its owner can read. `exported` describes the complete file. */
export const openFile = async (folder: string, { file, type }: Pick<Exported, 'file' | 'type'>) => {
  const path = join(folder, file)
  await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  const whole = createHash('sha256')
  let [count, bytes, sum] = [0, 0, 0n]
  const add = async (lines: readonly string[]): Promise<void> => {
    const text = lines.map((line) => `${line}\n`).join('')
    for (const line of lines) sum += BigInt(`0x${sha256(line)}`)
    whole.update(text)
    count += lines.length
    bytes += Buffer.byteLength(text)
    await appendFile(path, text)
  }
  const exported = (): Exported => {
    const lines_sha256 = BigInt.asUintN(256, sum).toString(16).padStart(64, '0')
    return { file, type, count, bytes, sha256: whole.digest('hex'), lines_sha256 }
  }
  return { add, exported, count: () => count }
}
