import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './settings.ts'

/** How long another service may take to let go of a folder, in milliseconds. */
const PATIENCE_MILLIS = 3_000

/** Makes a folder and those it is in. Node's own way never ends where a system has no folder and makes none, as in /proc. */
const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error
    makeFolder(dirname(folder))
    makeFolder(folder)
  }
}

/** Makes sure that a data folder is there and can be written, by its owner alone; throws StartError. */
export const prepareFolder = (dataDir: string): void => {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartError(
      `cannot write to the data folder "${dataDir}"; set DATA_DIR to one that can be written, or use --memory`,
      { cause },
    )
  }
}

/**
 * Takes a data folder for this process alone and returns what lets go of it; throws StartError while another process
 * has it. SQLite's lock belongs to the process, so that it is gone with it, kill -9 included.
 */
export const lockFolder = async (dataDir: string): Promise<() => void> => {
  // Not before it is needed: older versions of Node, on which the test double runs in memory, do not have it.
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(dataDir, 'lock.db'), { timeout: PATIENCE_MILLIS })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw new StartError(
      `the data folder "${dataDir}" is in use by another service; end that one, or set DATA_DIR to another folder`,
      { cause },
    )
  }
  return () => database.close()
}
