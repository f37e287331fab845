import type { DatabaseSync } from 'node:sqlite'
import { referencesOf } from '../../../shared/contract/identifiers.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { parseLossless } from '../lossless-json.ts'
import type { Row } from '../row.ts'

/** The length of the longest chain of references that starts at a resource. */
const referenceDepth = (type: string): number => {
  const { fields } = createEndpoints.get(type)!.resource
  const targets = referencesOf(fields).map(({ reference }) => reference.target)
  const depths = targets.filter((target) => createEndpoints.has(target)).map(referenceDepth)
  return Math.max(-1, ...depths) + 1
}

const passByType = new Map([...createEndpoints.keys()].map((type) => [type, referenceDepth(type)]))

/** The pass of rows whose precondition depends on what the other rows record. */
const LAST_PASS = Math.max(...passByType.values()) + 1

/** The rows to send, on disk. */
export const rowStore = (database: DatabaseSync) => {
  database.exec(`CREATE TABLE rows (pass INTEGER, file INTEGER, number INTEGER, row TEXT NOT NULL,
    PRIMARY KEY (pass, file, number)) WITHOUT ROWID`)
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)')
  const select = database.prepare('SELECT row FROM rows WHERE pass = ? ORDER BY file, number')
  let number = 0
  function* rowsOf(pass: number): Generator<Row> {
    for (const { row } of select.iterate(pass)) yield parseLossless(row as string) as Row
  }
  return {
    /** A file is given by its index in the arguments. */
    add: (file: number, row: Row): void => {
      const pass = row.precondition ? LAST_PASS : (passByType.get(row.type ?? '') ?? 0)
      number += 1
      insert.run(pass, file, number, JSON.stringify(row))
    },
    /**
     * The rows in the order in which they are sent, in passes that must not overlap: after the rows of the resources that they refer
     * to, and within a pass by file and in the order in which they were added.
     */
    passes: function* (): Generator<Iterable<Row>> {
      for (let pass = 0; pass <= LAST_PASS; pass += 1) yield rowsOf(pass)
    },
  }
}

export type RowStore = ReturnType<typeof rowStore>
