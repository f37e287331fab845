import { UsageError } from '../operator/command.ts'
import { readCells } from './csv-cells.ts'
import type { RecordsOf } from './csv-file.ts'
import type { Header, Table } from './csv-tables.ts'
import { type DiskMap, openDiskMap } from './disk-map.ts'

/** What other files add to a row. */
interface Added {
  readonly members: readonly string[]
  /** The place of each part, in words. */
  readonly origins: readonly string[]
  readonly problem?: string
}

/** The parts of entities that have files of their own, such as the lines of invoices. */
export interface CsvParts {
  /** Returns what the parts of an entity add to its row, which has `members` of its own. */
  of(table: Table, id: string, members: readonly string[]): Added
  close(): void
}

const nothing: Added = { members: [], origins: [] }

/** A part as it is kept on disk. */
interface Part {
  readonly body: string
  readonly origin: string
  readonly problem?: string | undefined
}

type Headers = ReadonlyMap<string, Header>
type Entry = readonly [file: string, header: Header]

/** Returns the key of an entity in the map. */
const keyOf = ({ type }: Table, id: string): string => `${type} ${id}`

/** Keeps the parts in a file. Throws UsageError for a part of which it cannot be told what it belongs to. */
const learnParts = async ([file, header]: Entry, recordsOf: RecordsOf, parts: DiskMap): Promise<void> => {
  const { table, columns } = header
  const { owner = '', name } = table
  const ownerAt = columns.findIndex((column) => column.name === owner)
  const inside = columns.map((column) => (column.name === owner ? { ...column, name: '' } : column))
  let isHeader = true
  for await (const record of recordsOf(file)) {
    if (isHeader && ownerAt === -1) throw new UsageError(`"${file}" must have a column ${owner}`)
    if (!isHeader) {
      const { line, cells } = record
      const id = cells[ownerAt] ?? ''
      const { members, problem } = readCells(record, table, inside)
      if (id === '' || cells.length !== columns.length)
        throw new UsageError(`line ${line} of "${file}" is not usable: ${problem ?? `${owner} is missing.`}`)
      const part: Part = { body: `{${members.join()}}`, origin: `line ${line} of ${file}`, problem }
      const key = `${name} of ${keyOf(table, id)}`
      const count = Number(parts.get(key) ?? 0)
      parts.set(key, String(count + 1))
      parts.set(`${key} ${count}`, JSON.stringify(part))
    }
    isHeader = false
  }
}

/** Calls `take` with the id and the line of each row of a file. */
const eachId = async (
  [file, { columns }]: Entry,
  recordsOf: RecordsOf,
  { column, take }: { readonly column: string; readonly take: (id: string, line: number) => void },
): Promise<void> => {
  const at = columns.findIndex(({ name }) => name === column)
  let isHeader = true
  for await (const { cells, line } of recordsOf(file)) {
    if (!isHeader) take(cells[at] ?? '', line)
    isHeader = false
  }
}

const MAX_SHOWN = 5

/** Throws UsageError for parts of entities that no file has: an entity would be recorded without them. */
const requireOwners = async (entry: Entry, recordsOf: RecordsOf, parts: DiskMap): Promise<void> => {
  const [file, { table }] = entry
  const { owner: column = '' } = table
  const lost: string[] = []
  const take = (id: string, line: number) => {
    if (parts.get(keyOf(table, id)) === undefined) lost.push(`line ${line} ("${id}")`)
  }
  await eachId(entry, recordsOf, { column, take })
  if (lost.length === 0) return
  const shown = [...lost.slice(0, MAX_SHOWN), ...(lost.length > MAX_SHOWN ? ['…'] : [])]
  const name = lost.length === 1 ? '1 line' : `${lost.length} lines`
  throw new UsageError(
    `${name} of "${file}" ${lost.length === 1 ? 'names' : 'name'} no row of a file of ${table.type}s by ${column}: ${shown.join(', ')}`,
  )
}

/** Reads the files of parts, and the ids of the entities that they belong to. Throws UsageError. */
export const readParts = async (headers: Headers, recordsOf: RecordsOf): Promise<CsvParts> => {
  const files = [...headers].filter(([, { table }]) => table.owner !== undefined)
  if (files.length === 0) return { of: () => nothing, close: () => undefined }
  const lists = new Map(files.map(([, { table }]) => [table.type, table.name]))
  const parts = await openDiskMap()
  try {
    for (const entry of headers) {
      const { table } = entry[1]
      const take = (id: string) => parts.set(keyOf(table, id), '')
      if (table.owner !== undefined) await learnParts(entry, recordsOf, parts)
      else if (lists.has(table.type)) await eachId(entry, recordsOf, { column: 'id', take })
    }
    for (const entry of files) await requireOwners(entry, recordsOf, parts)
  } catch (error) {
    parts.close()
    throw error
  }
  const of: CsvParts['of'] = (table, id, members) => {
    const list = lists.get(table.type)
    const key = `${list} of ${keyOf(table, id)}`
    const count = Number(parts.get(key) ?? 0)
    if (count === 0) return nothing
    const all = Array.from({ length: count }, (_, index) => JSON.parse(parts.get(`${key} ${index}`)!) as Part)
    const origins = all.map(({ origin }) => origin)
    const inRow = members.some((member) => member.startsWith(`"${list}":`))
    const wrong = all.find(({ problem }) => problem !== undefined)
    const problem = inRow
      ? `${list} must be in the row or in lines of their own, not both (see ${origins[0]}).`
      : wrong && `${wrong.origin}: ${wrong.problem}`
    return {
      members: inRow ? [] : [`${JSON.stringify(list)}:[${all.map(({ body }) => body).join()}]`],
      origins,
      ...(problem === undefined ? {} : { problem }),
    }
  }
  return { of, close: () => parts.close() }
}
