import { CommandError } from '../cli/command.ts'

/** A map from text to text that may be larger than the memory. */
export interface DiskMap {
  get(key: string): string | undefined
  set(key: string, value: string): void
  close(): void
}

const CACHE_KIB = 32 * 1024

/** Opens an empty map. Throws CommandError if this Node has no SQLite. */
export const openDiskMap = async (): Promise<DiskMap> => {
  const { DatabaseSync } = await import('node:sqlite').catch((cause: unknown) => {
    throw new CommandError('this needs Node 22.13 or newer, for its SQLite', { cause })
  })
  // Without a name, SQLite uses a private temporary file, which is removed however the process ends.
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
