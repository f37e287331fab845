import { StartError } from '../local/settings.ts'

/** Texts by key, more than fit into memory: in a private file that the system removes however the process ends. */
export interface Ledger {
  get(key: string): string | undefined
  set(key: string, value: string): void
  close(): void
}

/** What of it is kept in memory, in KiB. */
const CACHE_KIB = 32 * 1024

/** Opens an empty ledger. Throws StartError where this Node has no SQLite. */
export const openLedger = async (): Promise<Ledger> => {
  const { DatabaseSync } = await import('node:sqlite').catch((cause: unknown) => {
    throw new StartError('this needs Node 22.13 or newer, for its SQLite', { cause })
  })
  // SQLite makes a private temporary file where no name is given.
  const database = new DatabaseSync('')
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA cache_size = -${CACHE_KIB};
    CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    BEGIN`)
  const get = database.prepare('SELECT value FROM entries WHERE key = ?')
  const set = database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?)')
  return {
    get: (key) => (get.get(key) as { value: string } | undefined)?.value,
    set: (key, value) => void set.run(key, value),
    close: () => database.close(),
  }
}
