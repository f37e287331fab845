import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serviceFile } from './running-service.ts'
import { engineFile, StartError } from './settings.ts'

/**
 * Creates a folder that only its owner can read, and its parents. Throws errors of the system. Node's `recursive` never
 * returns where the system refuses, as in /proc.
 */
export const makeFolder = (folder: string): void => {
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

/** Creates a data folder that only its owner can read, unless it exists; throws StartError if it is not writable. */
export const prepareFolder = (dataDir: string): void => {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartError(
      `cannot write to the data folder "${dataDir}"; set DATA_DIR to a writable folder, or use --memory`,
      { cause },
    )
  }
}

/**
 * Locks a data folder for this process and returns a function that unlocks it. Throws StartError if another process keeps
 * the lock for longer than `timeout` milliseconds. The operating system releases SQLite's lock when the process ends, even
 * by kill -9; lock files of packages such as proper-lockfile would block the next start until they are stale.
 */
export const lockFolder = async (dataDir: string, timeout = 3_000): Promise<() => void> => {
  // Imported late: the oldest Node that runs the test double, in memory, does not have node:sqlite.
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(dataDir, 'lock.db'), { timeout })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw new StartError(
      `the data folder "${dataDir}" is in use by another service; stop that one, or set DATA_DIR to another folder`,
      { cause },
    )
  }
  const forgetService = () => rmSync(serviceFile(dataDir), { force: true })
  // A killed service leaves its file behind.
  forgetService()
  return () => {
    forgetService()
    database.close()
  }
}

/** Whether SQLite failed for lack of space: its result codes SQLITE_FULL and, for a file beside the database, SQLITE_IOERR. */
const lacksSpace = (error: unknown): boolean =>
  [13, 10].includes((error as { readonly errcode: number }).errcode & 0xff)

/**
 * Removes deleted and overwritten data from the database file of a locked folder, where SQLite leaves them until it needs
 * the space. That needs as much space again: without it, they stay, with a warning on standard error. Throws StartError
 * if the file is no database.
 */
export const removeDeleted = async (dataDir: string): Promise<void> => {
  const file = engineFile(dataDir)
  if (!existsSync(file)) return
  const { DatabaseSync } = await import('node:sqlite')
  try {
    chmodSync(file, 0o600)
    // An engine whose service was killed may keep its lock for a moment.
    const database = new DatabaseSync(file, { timeout: 3_000 })
    try {
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  } catch (cause) {
    if (lacksSpace(cause))
      return console.error(
        `Warning: the database "${file}" could not be cleaned (${(cause as Error).message}): deleted data, such as those of erased people, stay in the file until a start with enough free space.`,
      )
    throw new StartError(`the database "${file}" cannot be used: ${(cause as Error).message}`, { cause })
  }
}
