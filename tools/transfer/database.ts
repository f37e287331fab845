import type { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../cli/command.ts'

const CACHE_KIB = 32 * 1024

/**
 * Opens an empty database that may be larger than the memory. Its file has no name, so that only this process can read it and
 * it is gone however the process ends. Throws CommandError if this Node has no SQLite.
 */
export const openTemporaryDatabase = async (): Promise<DatabaseSync> => {
  const { DatabaseSync } = await import('node:sqlite').catch((cause: unknown) => {
    throw new CommandError('this needs Node 22.13 or newer, for its SQLite', { cause })
  })
  // Without a name, SQLite uses a private temporary file.
  const database = new DatabaseSync('')
  // Nothing is kept if the process ends, so nothing is journalled, and the one transaction is never committed.
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`)
  return database
}
