import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../../cli/command.ts'
import { makeFolder } from '../../local/data-folder.ts'

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

const takenFolder = (folder: string, cause?: unknown): CommandError =>
  new CommandError(`"${folder}" exists and is not an empty folder; choose another one`, { cause })

/** Whether a path does not exist or is an empty folder. A link is neither. */
const isFree = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return !found || (found.isDirectory() && readdirSync(path).length === 0)
}

/** With a unique name and the mode 0700. Throws CommandError if the path is not free or the folder cannot be created. */
const makeFolderBeside = (path: string): string => {
  try {
    if (!isFree(path)) throw takenFolder(path)
    makeFolder(dirname(path))
    return mkdtempSync(`${path}.`)
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`cannot create the folder "${path}": ${(cause as Error).message}`, { cause })
  }
}

/**
 * Creates a folder for an export, which only its owner can read, next to its final path `name`. If the process exits or receives a
 * signal before `complete`, the folder is removed. Throws CommandError if it cannot be created or `name` is not free.
 */
export const openExportFolder = (name: string) => {
  const finalPath = resolve(name)
  // The folder is new, so no other export uses it, and no link leads to it.
  const path = makeFolderBeside(finalPath)
  const remove = () => rmSync(path, { recursive: true, force: true })
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, exit)
  return {
    path,
    /** Gives the folder its final name. Throws CommandError if that name has been taken in the meantime. */
    complete: (): void => {
      try {
        renameSync(path, finalPath)
      } catch (cause) {
        throw takenFolder(finalPath, cause)
      }
    },
    /** Removes the folder, unless it is complete. */
    close: (): void => {
      remove()
      process.off('exit', remove)
      for (const signal of signals) process.off(signal, exit)
    },
  }
}

/** A file as the manifest describes it. */
export interface ExportedFile {
  readonly file: string
  readonly type: string
  readonly count: number
  readonly bytes: number
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string
  /** The sum of the SHA-256 of each line, modulo 2^256: the same for the same lines in any order. */
  readonly lines_sha256: string
}

/** Only its owner can read it. `type` is the name of the resource of its lines. Throws Error if the file exists. */
export const openExportFile = async (folder: string, file: string, type: string) => {
  const path = join(folder, file)
  await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  const hash = createHash('sha256')
  let lineHashes = 0n
  let count = 0
  let bytes = 0
  return {
    add: async (lines: readonly string[]): Promise<void> => {
      const text = lines.map((line) => `${line}\n`).join('')
      for (const line of lines) lineHashes += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
      hash.update(text)
      count += lines.length
      bytes += Buffer.byteLength(text)
      await appendFile(path, text)
    },
    count: (): number => count,
    complete: (): ExportedFile => ({
      file,
      type,
      count,
      bytes,
      sha256: hash.digest('hex'),
      lines_sha256: BigInt.asUintN(256, lineHashes).toString(16).padStart(64, '0'),
    }),
  }
}
