import { openTemporaryDatabase } from './temporary-database.ts'

/** A map from text to text, which may grow larger than the memory. */
export interface DiskMap {
  get(key: string): string | undefined
  set(key: string, value: string): void
  close(): void
}

/** Opens an empty map in a temporary database. Throws CommandError if this Node has no SQLite. */
export const openDiskMap = async (): Promise<DiskMap> => {
  const database = await openTemporaryDatabase()
  database.exec('CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const select = database.prepare('SELECT value FROM entries WHERE key = ?')
  const insert = database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?)')
  return {
    get: (key) => (select.get(key) as { value: string } | undefined)?.value,
    set: (key, value) => void insert.run(key, value),
    close: () => database.close(),
  }
}
