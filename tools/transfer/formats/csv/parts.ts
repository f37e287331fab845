import { UsageError } from '../../../cli/command.ts'
import { type DiskMap, openDiskMap } from '../../disk-map.ts'
import { type Cells, currencyOf, joined, readCells } from './cells.ts'
import type { CsvFile } from './csv-file.ts'
import type { Table } from './tables.ts'

/** What other files add to a row. */
interface Added extends Cells {
  readonly partOrigins: readonly string[]
}

/** What an entity without parts gets. */
export const nothing: Added = { members: [], partOrigins: [] }

interface Part extends Cells {
  readonly origin: string
}

const entityKey = ({ type }: Table, id: string): string => `${type} ${id}`

const partsKey = (list: string, table: Table, id: string): string => `${list} of ${entityKey(table, id)}`

const addPart = (entries: DiskMap, key: string, part: Part): void => {
  const count = Number(entries.get(key) ?? 0)
  entries.set(key, String(count + 1))
  // The number comes first, since the id at the end of the key may itself end with a number.
  entries.set(`${count} ${key}`, JSON.stringify(part))
}

const partsAt = (entries: DiskMap, key: string): Part[] =>
  Array.from({ length: Number(entries.get(key) ?? 0) }, (_, index) =>
    JSON.parse(entries.get(`${index} ${key}`)!),
  )

/** Stores the ids of the entities in a file, with the currency if all rows of the id have the same. */
const storeIds = async (csv: CsvFile, entries: DiskMap): Promise<void> => {
  const { table, columns, records } = csv
  const idAt = columns.findIndex(({ name }) => name === 'id')
  for await (const record of records()) {
    const key = entityKey(table, record.cells[idAt] ?? '')
    const currency = currencyOf(csv, record).toUpperCase()
    entries.set(key, (entries.get(key) ?? currency) === currency ? currency : '')
  }
}

const MAX_SHOWN = 5

/** Throws UsageError if there are orphans, the lines of a file whose entity no file has. */
const refuseOrphans = (file: string, { owner, type }: Table, orphans: readonly string[]): void => {
  if (orphans.length === 0) return
  const shown = [...orphans.slice(0, MAX_SHOWN), ...(orphans.length > MAX_SHOWN ? ['…'] : [])]
  const lines = orphans.length === 1 ? '1 line' : `${orphans.length} lines`
  throw new UsageError(
    `${lines} of "${file}" ${orphans.length === 1 ? 'names' : 'name'} no row of a file of ${type}s by ${owner}: ${shown.join(', ')}`,
  )
}

/** Stores the parts in a file. Throws UsageError for a part whose entity is unknown, which would be recorded without it. */
const storeParts = async (csv: CsvFile, entries: DiskMap): Promise<void> => {
  const { file, table, columns, records } = csv
  const { owner = '', name } = table
  const ownerAt = columns.findIndex((column) => column.name === owner)
  if (columns.length > 0 && ownerAt === -1) throw new UsageError(`"${file}" must have a column ${owner}`)
  const withoutOwner = columns.map((column) => (column.name === owner ? { ...column, name: '' } : column))
  const orphans: string[] = []
  for await (const record of records()) {
    const { line, cells } = record
    const id = cells[ownerAt] ?? ''
    const currency = entries.get(entityKey(table, id))
    const found = readCells(record, { ...csv, columns: withoutOwner }, currency)
    if (id === '' || cells.length !== columns.length)
      throw new UsageError(
        `line ${line} of "${file}" is not usable: ${found.problem ?? `${owner} is missing.`}`,
      )
    if (currency === undefined) orphans.push(`line ${line} ("${id}")`)
    addPart(entries, partsKey(name, table, id), { ...found, origin: `line ${line} of ${file}` })
  }
  refuseOrphans(file, table, orphans)
}

/** Returns what parts add to a row, as its `list`. The row has these `members` itself. */
const added = (list: string, parts: readonly Part[], members: readonly string[]): Added => {
  const partOrigins = parts.map(({ origin }) => origin)
  if (members.some((member) => member.startsWith(`"${list}":`))) {
    const problem = `${list} must be in the row or in lines of their own, not both (see ${partOrigins[0]}).`
    return { members: [], partOrigins, problem }
  }
  const invalid = parts.find(({ problem }) => problem !== undefined)
  return {
    members: [`${JSON.stringify(list)}:[${parts.map((part) => `{${part.members.join()}}`).join()}]`],
    partOrigins,
    ...joined(parts),
    ...(invalid ? { problem: `${invalid.origin}: ${invalid.problem}` } : {}),
  }
}

/**
 * Reads the files of parts, such as the lines of invoices, and the ids of the entities that they belong to. Without such files,
 * returns undefined. Throws UsageError.
 */
export const readParts = async (all: readonly CsvFile[]) => {
  const files = all.filter(({ table }) => table.owner !== undefined)
  if (files.length === 0) return undefined
  const lists = new Map(files.map(({ table }) => [table.type, table.name]))
  const entries = await openDiskMap()
  try {
    for (const csv of all)
      if (csv.table.owner === undefined && lists.has(csv.table.type)) await storeIds(csv, entries)
    for (const csv of files) await storeParts(csv, entries)
  } catch (error) {
    entries.close()
    throw error
  }
  return {
    /** Returns what the parts of an entity add to its row, which has these `members` itself. */
    of: (table: Table, id: string, members: readonly string[]): Added => {
      const list = lists.get(table.type)
      const parts = list === undefined ? [] : partsAt(entries, partsKey(list, table, id))
      return parts.length > 0 ? added(list!, parts, members) : nothing
    },
    close: (): void => entries.close(),
  }
}

export type CsvParts = Awaited<ReturnType<typeof readParts>>
