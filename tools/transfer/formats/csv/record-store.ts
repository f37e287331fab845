import type { DatabaseSync } from 'node:sqlite'
import type { CsvCell } from './csv-records.ts'

/** A record as it is stored: with as many cells as the header, unless it has a problem. */
export interface StoredRecord {
  readonly line: number
  readonly cells: readonly CsvCell[]
  /** The problem with the number of its cells, as a sentence; null if it has none. */
  readonly problem: string | null
}

/** A period of a subscription, in seconds since the epoch. */
export interface SubscriptionPeriod {
  /** Null if its invoice has none. */
  readonly subscription: string | null
  readonly start: number
  readonly end: number
  /** Where its end is, and the text there. */
  readonly place: string
  /** With inclusive ends: the end as the file has it, if the period up to it is a whole number of weeks or months. */
  readonly written?: number
  /** The months to that end, from the same day of a month. */
  readonly months?: number
}

type TableRow = Readonly<Record<string, unknown>>

const recordIn = ({ line, cells, problem }: TableRow): StoredRecord => ({
  line: line as number,
  cells: JSON.parse(cells as string),
  problem: problem as string | null,
})

/** The records of CSV files, stored on disk. A file is given by its index. */
export const recordStore = (database: DatabaseSync) => {
  database.exec(`CREATE TABLE records (file INTEGER, number INTEGER, line INTEGER, id TEXT, cells TEXT, problem TEXT,
      PRIMARY KEY (file, number)) WITHOUT ROWID;
    CREATE INDEX by_id ON records (id, file, number);
    CREATE TABLE periods (subscription TEXT, start INTEGER, "end" INTEGER, place TEXT, written INTEGER, months INTEGER);
    CREATE INDEX by_start ON periods (subscription, start)`)
  const insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)')
  const sameId = 'FROM records INDEXED BY by_id WHERE id = record.id AND file = record.file'
  const selectFile = database.prepare(
    `SELECT *, id <> '' AND EXISTS (SELECT 1 ${sameId} AND number < record.number) AS isLater,
      id <> '' AND EXISTS (SELECT 1 ${sameId} AND number > record.number) AS hasLater
      FROM records AS record WHERE file = ? ORDER BY number`,
  )
  // Without the hint, SQLite would read the whole file, which is in the requested order.
  const selectId = database.prepare(
    'SELECT * FROM records INDEXED BY by_id WHERE id = ? AND file = ? ORDER BY number',
  )
  const insertPeriod = database.prepare('INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?)')
  const selectGap = database.prepare(
    `SELECT *, (SELECT min(start) FROM periods WHERE subscription = ended.subscription AND start >= ended."end") AS next
      FROM periods AS ended WHERE next > "end" AND next <= "end" + ? LIMIT 1`,
  )
  const selectOtherEnd = database.prepare(
    `SELECT *, EXISTS (SELECT 1 FROM periods WHERE subscription = ended.subscription AND start = ended.written) AS isFollowed
      FROM periods AS ended WHERE isFollowed OR (months > 0 AND NOT EXISTS
        (SELECT 1 FROM periods WHERE subscription = ended.subscription AND start = ended."end")) LIMIT 1`,
  )
  let number = 0
  return {
    /** `id` is that of the record's entity; empty if it has none. */
    add: (file: number, id: string, { line, cells, problem }: StoredRecord): void => {
      number += 1
      insert.run(file, number, line, id, JSON.stringify(cells), problem)
    },
    /** The records grouped by id, in the order of the first record of each id. Records without id are not grouped. */
    groupsOf: function* (file: number): Generator<readonly StoredRecord[]> {
      for (const row of selectFile.iterate(file)) {
        if (row.isLater) continue
        yield (row.hasLater ? selectId.all(row.id!, file) : [row]).map(recordIn)
      }
    },
    /** In order. */
    recordsWith: (file: number, id: string): StoredRecord[] => selectId.all(id, file).map(recordIn),
    /** The ids in a file that none of the other files has, in order. */
    idsMissingIn: (others: readonly number[], file: number) => {
      const parameters = others.map(() => '?').join()
      const select = database.prepare(
        `SELECT id, line FROM records AS part WHERE file = ? AND NOT EXISTS
          (SELECT 1 FROM records WHERE id = part.id AND file IN (${parameters})) ORDER BY number`,
      )
      return select.all(file, ...others) as { readonly id: string; readonly line: number }[]
    },
    addPeriod: ({ subscription, start, end, place, written, months }: SubscriptionPeriod): void => {
      insertPeriod.run(subscription, start, end, place, written ?? null, months ?? null)
    },
    /** The first period that ends at most `maxGap` seconds before the next one of its subscription begins. */
    periodBeforeGap: (maxGap: number) =>
      selectGap.get(maxGap) as (SubscriptionPeriod & { readonly next: number }) | undefined,
    /** The first period after whose written end the next one of its subscription begins, or that was whole months and has no next one. */
    periodOfOtherEnd: () =>
      selectOtherEnd.get() as (Required<SubscriptionPeriod> & { readonly isFollowed: number }) | undefined,
  }
}

export type SheetRecordStore = ReturnType<typeof recordStore>
