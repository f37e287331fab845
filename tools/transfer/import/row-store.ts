import type { DatabaseSync } from 'node:sqlite'
import { passOf } from './passes.ts'
import type { Row } from './row.ts'

/** The rows of an import, stored on disk in the order in which they are sent. */
export interface RowStore {
  /** Adds a row of a file, given by the file's index in the arguments. */
  add(file: number, row: Row): void
  /** Returns the rows of a pass, ordered by file and, within a file, in the order in which they were added. */
  rowsOf(pass: number): Iterable<Row>
}

export const rowStore = (database: DatabaseSync): RowStore => {
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
      insert.run(passOf(row), file, number, JSON.stringify(row))
    },
    rowsOf,
  }
}
