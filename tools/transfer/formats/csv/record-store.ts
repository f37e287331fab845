import type { DatabaseSync } from 'node:sqlite'
import type { CsvCell } from './csv-records.ts'

/** A record as it is stored: with as many cells as the header, unless it has a problem. */
export interface StoredRecord {
  readonly line: number
  readonly cells: readonly CsvCell[]
  /** The problem with the number of its cells, as a sentence; null if it has none. */
  readonly problem: string | null
}

/** A row of the table of records. */
interface TableRow {
  readonly number: number
  readonly id: string
  readonly line: number
  readonly cells: string
  readonly problem: string | null
}

const recordIn = ({ line, cells, problem }: TableRow): StoredRecord => ({
  line,
  cells: JSON.parse(cells),
  problem,
})

/** An id, and the line of its record. */
export interface IdInLine {
  readonly id: string
  readonly line: number
}

/** A period of a subscription, in seconds since the epoch, and where it is. */
export interface SubscriptionPeriod {
  readonly subscription: string
  readonly start: number
  readonly end: number
  readonly place: string
}

/** The records of CSV files, stored on disk. A file is given by its index. */
export interface RecordStore {
  /** Adds a record with the id of its entity, which is empty if it has none. */
  add(file: number, id: string, record: StoredRecord): void
  /**
   * Returns the records of a file, grouped by id, in the order of the first record of each id. Records without id are not
   * grouped.
   */
  groupsOf(file: number): Iterable<readonly StoredRecord[]>
  /** Returns the records of an id in a file, in order. */
  recordsWith(file: number, id: string): StoredRecord[]
  /** Returns the ids in a file that none of the other files has, in order. */
  idsMissingIn(others: readonly number[], file: number): Iterable<IdInLine>
  addPeriod(period: SubscriptionPeriod): void
  /**
   * Returns the first period that ends before the next one of its subscription begins, at most `maxGap` seconds before it, with the
   * start of the next one; undefined if there is none.
   */
  periodBeforeGap(maxGap: number): (SubscriptionPeriod & { readonly next: number }) | undefined
}

export const recordStore = (database: DatabaseSync): RecordStore => {
  database.exec(`CREATE TABLE records (file INTEGER, number INTEGER, line INTEGER, id TEXT, cells TEXT, problem TEXT,
      PRIMARY KEY (file, number)) WITHOUT ROWID;
    CREATE INDEX by_id ON records (id, file, number);
    CREATE TABLE periods (subscription TEXT, start INTEGER, "end" INTEGER, place TEXT);
    CREATE INDEX by_start ON periods (subscription, start)`)
  const insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)')
  const selectFile = database.prepare('SELECT * FROM records WHERE file = ? ORDER BY number')
  // Without the hint, SQLite would read the whole file, which is in the requested order.
  const selectId = database.prepare(
    'SELECT * FROM records INDEXED BY by_id WHERE id = ? AND file = ? ORDER BY number',
  )
  const insertPeriod = database.prepare('INSERT INTO periods VALUES (?, ?, ?, ?)')
  const selectGap = database.prepare(
    `SELECT *, (SELECT min(start) FROM periods WHERE subscription = ended.subscription AND start >= ended."end") AS next
      FROM periods AS ended WHERE next > "end" AND next <= "end" + ? LIMIT 1`,
  )
  let number = 0
  const rowsWith = (file: number, id: string) => selectId.all(id, file) as unknown as TableRow[]
  function* rowsOf(file: number): Generator<TableRow> {
    for (const row of selectFile.iterate(file)) yield row as unknown as TableRow
  }
  function* groupsOf(file: number): Generator<readonly StoredRecord[]> {
    for (const row of rowsOf(file)) {
      const group = row.id === '' ? [row] : rowsWith(file, row.id)
      if (group[0]!.number === row.number) yield group.map(recordIn)
    }
  }
  const idsMissingIn = (others: readonly number[], file: number): IdInLine[] => {
    const parameters = others.map(() => '?').join()
    const select = database.prepare(
      `SELECT id, line FROM records AS part WHERE file = ? AND NOT EXISTS
        (SELECT 1 FROM records WHERE id = part.id AND file IN (${parameters})) ORDER BY number`,
    )
    return select.all(file, ...others) as unknown as IdInLine[]
  }
  return {
    add: (file, id, { line, cells, problem }) => {
      number += 1
      insert.run(file, number, line, id, JSON.stringify(cells), problem)
    },
    groupsOf,
    recordsWith: (file, id) => rowsWith(file, id).map(recordIn),
    idsMissingIn,
    addPeriod: ({ subscription, start, end, place }) => {
      insertPeriod.run(subscription, start, end, place)
    },
    periodBeforeGap: (maxGap) => selectGap.get(maxGap) as ReturnType<RecordStore['periodBeforeGap']>,
  }
}
