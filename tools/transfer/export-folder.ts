import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../local/data-folder.ts'
import { StartError } from '../local/settings.ts'

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
 * Opens a folder for an export, which nobody else can read. An incomplete one is also removed when the process exits or
 * receives a signal. Throws StartError if it cannot be created or is not empty.
 */
export const openExportFolder = (name: string) => {
  const folder = resolve(name)
  const path = makeBeside(folder)
  const remove = () => rmSync(path, { recursive: true, force: true })
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, exit)
  /** Gives the folder its final name. Throws StartError if that has been taken meanwhile. */
  const complete = (): void => {
    try {
      renameSync(path, folder)
    } catch (cause) {
      throw taken(folder, cause)
    }
  }
  /** Removes an incomplete folder. */
  const close = (): void => {
    remove()
    process.off('exit', remove)
    for (const signal of signals) process.off(signal, exit)
  }
  // The path is a new one beside the final one, which no other export uses and no link leads to.
  return { path, complete, close }
}
