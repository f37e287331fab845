import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../local/command.ts'
import { makeFolder } from '../local/data-folder.ts'

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
  /** Removes the folder if it is incomplete. */
  const close = (): void => {
    remove()
    process.off('exit', remove)
    for (const signal of signals) process.off(signal, exit)
  }
  // This path is new, beside the final one. No other export uses it, and no link points to it.
  return { path, complete, close }
}
