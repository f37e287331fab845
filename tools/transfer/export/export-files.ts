import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../../cli/command.ts'
import { makeFolder } from '../../local/data-folder.ts'

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

const taken = (folder: string, cause?: unknown): CommandError =>
  new CommandError(`"${folder}" exists and is not an empty folder; name another one`, { cause })

const isFree = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return !found || (found.isDirectory() && readdirSync(folder).length === 0)
}

/** Creates a folder beside one that does not exist or is empty. Its mode is 0700. */
const makeBeside = (folder: string): string => {
  try {
    if (!isFree(folder)) throw taken(folder)
    makeFolder(dirname(folder))
    return mkdtempSync(`${folder}.`)
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`cannot create the folder "${folder}": ${(cause as Error).message}`, { cause })
  }
}

/**
 * Creates a folder for an export, which only its owner can read. If the process exits or receives a signal, an incomplete folder
 * is removed. Throws CommandError if the folder cannot be created or is not empty.
 */
export const openExportFolder = (name: string) => {
  const folder = resolve(name)
  const path = makeBeside(folder)
  const remove = () => rmSync(path, { recursive: true, force: true })
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, exit)
  /** Gives the folder its final name. Throws CommandError if that name has been taken in the meantime. */
  const complete = (): void => {
    try {
      renameSync(path, folder)
    } catch (cause) {
      throw taken(folder, cause)
    }
  }
  const close = (): void => {
    remove()
    process.off('exit', remove)
    for (const signal of signals) process.off(signal, exit)
  }
  // This path is new, beside the final one. No other export uses it, and no link points to it.
  return { path, complete, close }
}

/** The description of an export's file in the manifest. */
export interface Exported {
  readonly file: string
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
  let count = 0
  let bytes = 0
  let sum = 0n
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
