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

/** Returns whether a path does not exist or is an empty folder. A link is neither. */
const isFree = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return !found || (found.isDirectory() && readdirSync(path).length === 0)
}

/**
 * Creates a folder next to a path, with a unique name and the mode 0700. Throws CommandError if the path is not free or the folder
 * cannot be created.
 */
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
    /** Where to write the files. */
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

/** The description of an exported file in the manifest. */
export interface ExportedFile {
  readonly file: string
  /** The name of the resource. */
  readonly type: string
  /** The number of lines. */
  readonly count: number
  readonly bytes: number
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string
  /** The sum of the SHA-256 of each line, modulo 2^256: the same for the same lines in any order. */
  readonly lines_sha256: string
}

/** Computes the description of a file from its lines. */
class FileDescription {
  readonly #hash = createHash('sha256')
  #lineHashes = 0n
  #count = 0
  #bytes = 0

  get count(): number {
    return this.#count
  }

  /** Adds lines. `text` consists of these lines, each with its line feed. */
  add(lines: readonly string[], text: string): void {
    for (const line of lines)
      this.#lineHashes += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
    this.#hash.update(text)
    this.#count += lines.length
    this.#bytes += Buffer.byteLength(text)
  }

  complete(file: string, type: string): ExportedFile {
    return {
      file,
      type,
      count: this.#count,
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
      lines_sha256: BigInt.asUintN(256, this.#lineHashes).toString(16).padStart(64, '0'),
    }
  }
}

/**
 * Creates an NDJSON file that only its owner can read. `type` is the name of the resource of its lines. Throws Error if the file
 * exists.
 */
export const openExportFile = async (folder: string, file: string, type: string) => {
  const path = join(folder, file)
  await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  const description = new FileDescription()
  return {
    /** Appends lines. */
    add: async (lines: readonly string[]): Promise<void> => {
      const text = lines.map((line) => `${line}\n`).join('')
      description.add(lines, text)
      await appendFile(path, text)
    },
    /** Returns the number of lines so far. */
    count: (): number => description.count,
    /** Returns the description of the complete file. */
    complete: (): ExportedFile => description.complete(file, type),
  }
}
