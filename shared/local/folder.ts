import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './settings.ts'

/** How long another service may take to let go of a folder, in milliseconds. */
const PATIENCE_MILLIS = 3_000

/** Makes sure that a data folder is there and can be written, by its owner alone; throws StartError. */
export const prepareFolder = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
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
