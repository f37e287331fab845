import type { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../cli/command.ts'

const CACHE_KIB = 32 * 1024

/**
 * Opens the database of a run, for everything that may grow larger than the memory. It is in an unnamed file, so only this process
 * can read it, and the system deletes it when the process ends. Throws CommandError if this Node has no SQLite.
 */
export const openRunDatabase = async (): Promise<DatabaseSync> => {
  const { DatabaseSync } = await import('node:sqlite').catch((cause: unknown) => {
    throw new CommandError('this command needs Node 22.13 or newer, because it uses the SQLite of Node', {
      cause,
    })
  })
  // With an empty name, SQLite creates an unnamed temporary file.
  const database = new DatabaseSync('')
  // The data need not survive the process: no journal is written, and the only transaction is never committed.
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`)
  return database
}

/** A map from text to text in a table of its own. */
export class DiskMap {
  readonly #select
  readonly #insert

  constructor(database: DatabaseSync, table: string) {
    database.exec(`CREATE TABLE ${table} (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`)
    this.#select = database.prepare(`SELECT value FROM ${table} WHERE key = ?`)
    this.#insert = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`)
  }

  get(key: string): string | undefined {
    const row = this.#select.get(key) as { readonly value: string } | undefined
    return row?.value
  }

  set(key: string, value: string): void {
    this.#insert.run(key, value)
  }
}
