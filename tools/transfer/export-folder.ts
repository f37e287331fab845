import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../local/data-folder.ts'
import { StartError } from '../local/settings.ts'

/** A folder that an export writes to. Nobody else can read it. */
export interface ExportFolder {
  /** The folder to write to: a new one beside the final one, which no other export uses and no link leads to. */
  readonly path: string
  /** Gives the folder its final name. Throws StartError if that has been taken meanwhile. */
  complete(): void
  /** Removes an incomplete folder. */
  close(): void
}

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

const taken = (folder: string, cause?: unknown): StartError =>
  new StartError(`"${folder}" exists and is not an empty folder; name another one`, { cause })

const isFree = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return !found || (found.isDirectory() && readdirSync(folder).length === 0)
}

/** Makes a folder beside one that does not exist or is empty. Its mode is 0700. */
const makeBeside = (folder: string): string => {
  try {
    if (!isFree(folder)) throw taken(folder)
    makeFolder(dirname(folder))
    return mkdtempSync(`${folder}.`)
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`cannot create the folder "${folder}": ${(cause as Error).message}`, { cause })
  }
}

/**
 * Opens a folder for an export. An incomplete one is also removed when the process exits or receives a signal. Throws
 * StartError if it cannot be created or is not empty.
 */
export const openExportFolder = (name: string): ExportFolder => {
  const folder = resolve(name)
  const path = makeBeside(folder)
  const remove = () => rmSync(path, { recursive: true, force: true })
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, exit)
  return {
    path,
    complete: () => {
      try {
        renameSync(path, folder)
      } catch (cause) {
        throw taken(folder, cause)
      }
    },
    close: () => {
      remove()
      process.off('exit', remove)
      for (const signal of signals) process.off(signal, exit)
    },
  }
}
