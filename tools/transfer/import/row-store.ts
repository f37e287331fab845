import { PASSES, passOf } from '../creates.ts'
import { openTemporaryDatabase } from '../database.ts'
import type { Row } from '../row.ts'

/** The rows of an import, kept on disk in the order in which they are sent. */
export interface RowStore {
  /** Adds a row of a file, by the index of the file in the arguments. */
  add(file: number, row: Row): void
  /** Returns the rows of a pass: by file, and in a file in the order in which they were added. */
  rowsOf(pass: number): Iterable<Row>
  close(): void
}

/** The number of passes: one per level of references, and one for rows that depend on what is recorded by then. */
export const ROW_PASSES = PASSES + 1

const passOfRow = ({ type, precondition }: Row): number => (precondition ? PASSES : passOf(type ?? ''))

/** Opens an empty store. Throws CommandError if this Node has no SQLite. */
export const openRowStore = async (): Promise<RowStore> => {
  const database = await openTemporaryDatabase()
  database.exec(`CREATE TABLE rows (pass INTEGER, file INTEGER, number INTEGER, row TEXT NOT NULL,
    PRIMARY KEY (pass, file, number)) WITHOUT ROWID`)
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)')
  const select = database.prepare('SELECT row FROM rows WHERE pass = ? ORDER BY file, number')
  let number = 0
  function* rowsOf(pass: number): Generator<Row> {
    for (const { row } of select.iterate(pass)) yield JSON.parse(row as string) as Row
  }
  return {
    add: (file, row) => {
      number += 1
      insert.run(passOfRow(row), file, number, JSON.stringify(row))
    },
    rowsOf,
    close: () => database.close(),
  }
}
