import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../cli/command.ts'
import { isListening } from './loopback.ts'

export const engineFile = (dataDir: string): string => join(dataDir, 'billing.db')

const serviceFile = (dataDir: string): string => join(dataDir, 'service.json')

/**
 * Only its owner can read it. Replaces any file or link of that name. Throws CommandError, as on a full disk.
 */
export const writePrivate = (file: string, content: string): void => {
  const next = `${file}.new`
  try {
    rmSync(next, { force: true })
    writeFileSync(next, content, { mode: 0o600, flag: 'wx' })
    renameSync(next, file)
  } catch (cause) {
    throw new CommandError(`cannot write "${file}": ${(cause as Error).message}`, { cause })
  }
}

/**
 * Only its owner can read it and its parents. Throws errors of the system. Node's `recursive` option is not
 * used: it does not return where the system refuses, as in /proc.
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

/** Only its owner can read it. Throws CommandError if it is not writable. */
export const prepareFolder = (dataDir: string): void => {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new CommandError(
      `cannot write to the data folder "${dataDir}"; set DATA_DIR to a writable folder, or use --memory`,
      { cause },
    )
  }
}

/**
 * Returns a function that unlocks the folder. Throws CommandError if another process holds the lock for
 * longer than `timeout` milliseconds. The lock is SQLite's, which the operating system releases when the
 * process ends, even after kill -9. The lock file of a package such as proper-lockfile would block the next
 * start until it is stale.
 */
export const lockFolder = async (dataDir: string, timeout = 3_000): Promise<() => void> => {
  // Imported here, since the oldest Node that runs the test double has no node:sqlite.
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(dataDir, 'lock.db'), { timeout })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw new CommandError(
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

/** Result codes of SQLite. */
const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
const SQLITE_FULL = 13

/** With SQLITE_IOERR, space for a file beside the database was lacking. */
const lacksSpace = (error: unknown): boolean => {
  // The lowest byte of an extended result code is the result code.
  const code = (error as { readonly errcode: number }).errcode & 0xff
  return code === SQLITE_FULL || code === SQLITE_IOERR
}

/** For an error of `lockFolder`. */
export const isLocked = (error: unknown): boolean => {
  if (!(error instanceof CommandError)) return false
  const { cause } = error as { readonly cause?: { readonly errcode?: number } }
  return cause?.errcode === SQLITE_BUSY
}

/**
 * Removes deleted and overwritten data from the database file of a locked folder, where SQLite keeps them
 * until it reuses the space. This temporarily needs as much space again. Without it, the data stay, and a
 * warning is printed on standard error. Throws CommandError if the file is not a database.
 */
export const removeDeleted = async (dataDir: string): Promise<void> => {
  const file = engineFile(dataDir)
  if (!existsSync(file)) return
  const { DatabaseSync } = await import('node:sqlite')
  try {
    chmodSync(file, 0o600)
    // The engine of a service that was killed may hold its lock a little longer.
    const database = new DatabaseSync(file, { timeout: 3_000 })
    try {
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  } catch (cause) {
    if (lacksSpace(cause))
      return console.error(
        `Warning: the database "${file}" could not be cleaned (${(cause as Error).message}): deleted data, such as data of erased people, stay in the file until a start with enough free space.`,
      )
    throw new CommandError(`the database "${file}" cannot be used: ${(cause as Error).message}`, { cause })
  }
}

/** With it, commands find the database of the service. */
interface RunningService {
  readonly base_url: string
  /** Secret, and stored only here. */
  readonly endpoint: string
  readonly table: string
  /** How long it caches keys, in milliseconds; absent if other programs may write to the engine. */
  readonly key_cache_millis?: number
}

export const announceService = (dataDir: string, service: RunningService): void =>
  writePrivate(serviceFile(dataDir), JSON.stringify(service))

/** Undefined if no service responds. Throws CommandError if its file is corrupt. */
export const runningService = async (dataDir: string): Promise<RunningService | undefined> => {
  const file = serviceFile(dataDir)
  try {
    const service = JSON.parse(readFileSync(file, 'utf8')) as RunningService
    const { hostname, port } = new URL(service.endpoint)
    return (await isListening(Number(port), hostname)) ? service : undefined
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CommandError(
      `"${file}" does not describe a running service (${message}): remove it, and restart the service if one runs`,
      { cause },
    )
  }
}
