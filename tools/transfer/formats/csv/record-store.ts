import { openTemporaryDatabase } from '../../database.ts'
import type { CsvCell } from './csv-file.ts'

/** A record as it is kept: with as many cells as the header, unless it has a problem. */
export interface StoredRecord {
  readonly line: number
  readonly cells: readonly CsvCell[]
  /** What is wrong with its cells; null if nothing is. */
  readonly problem: string | null
}

interface StoredRow {
  readonly number: number
  readonly line: number
  readonly cells: string
  readonly problem: string | null
}

const recordIn = ({ line, cells, problem }: StoredRow): StoredRecord => ({
  line,
  cells: JSON.parse(cells),
  problem,
})

/** The records of CSV files, kept on disk. Files are named by their index. */
export interface RecordStore {
  /** Adds a record with the id of its entity, in which empty means that it has none. */
  add(file: number, id: string, record: StoredRecord): void
  /** Returns the records of a file, in order. */
  recordsOf(file: number): Iterable<StoredRecord>
  /** Returns the records of each id in a file, in the order of their first; each record without an id alone. */
  groupsOf(file: number): Iterable<readonly StoredRecord[]>
  /** Returns the records of an id in a file, in order. */
  recordsWith(file: number, id: string): StoredRecord[]
  /** Returns the ids in a file that no other of these files has, with the lines, in order. */
  idsMissingIn(
    others: readonly number[],
    file: number,
  ): Iterable<{ readonly id: string; readonly line: number }>
  close(): void
}

/** Opens an empty store. Throws CommandError if this Node has no SQLite. */
export const openRecordStore = async (): Promise<RecordStore> => {
  const database = await openTemporaryDatabase()
  database.exec(`CREATE TABLE records (file INTEGER, number INTEGER, line INTEGER, id TEXT, cells TEXT, problem TEXT,
      PRIMARY KEY (file, number)) WITHOUT ROWID;
    CREATE INDEX by_id ON records (id, file, number)`)
  const insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)')
  const inFile = database.prepare('SELECT * FROM records WHERE file = ? ORDER BY number')
  const withId = database.prepare('SELECT * FROM records WHERE file = ? AND id = ? ORDER BY number')
  let number = 0
  const recordsWith = (file: number, id: string): StoredRecord[] =>
    withId.all(file, id).map((row) => recordIn(row as unknown as StoredRow))
  function* recordsOf(file: number) {
    for (const row of inFile.iterate(file)) yield recordIn(row as unknown as StoredRow)
  }
  function* groupsOf(file: number) {
    for (const row of inFile.iterate(file)) {
      const { id, number } = row as unknown as StoredRow & { readonly id: string }
      const group = withId.all(file, id) as unknown as StoredRow[]
      if (id === '') yield [recordIn(row as unknown as StoredRow)]
      else if (group[0]!.number === number) yield group.map(recordIn)
    }
  }
  return {
    add: (file, id, { line, cells, problem }) => {
      number += 1
      insert.run(file, number, line, id, JSON.stringify(cells), problem)
    },
    recordsOf,
    groupsOf,
    recordsWith,
    idsMissingIn: (others, file) =>
      database
        .prepare(
          `SELECT id, line FROM records AS part WHERE file = ? AND NOT EXISTS
            (SELECT 1 FROM records WHERE id = part.id AND file IN (${others.map(() => '?').join()})) ORDER BY number`,
        )
        .all(file, ...others) as unknown as { readonly id: string; readonly line: number }[],
    close: () => database.close(),
  }
}
