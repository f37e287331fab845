import { openTemporaryDatabase } from './database.ts'

/** A map from text to text that may be larger than the memory. */
export interface DiskMap {
  get(key: string): string | undefined
  set(key: string, value: string): void
  close(): void
}

/** Opens an empty map. Throws CommandError if this Node has no SQLite. */
export const openDiskMap = async (): Promise<DiskMap> => {
  const database = await openTemporaryDatabase()
  database.exec('CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const get = database.prepare('SELECT value FROM entries WHERE key = ?')
  const set = database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?)')
  return {
    get: (key) => (get.get(key) as { value: string } | undefined)?.value,
    set: (key, value) => void set.run(key, value),
    close: () => database.close(),
  }
}
