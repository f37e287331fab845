import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { allows, isComposite, type Properties, type Schema } from '../../shared/contract/schema.ts'
import { UsageError } from '../operator/command.ts'
import { creates } from './creates.ts'
import { MAX_BYTES } from './lines.ts'
import { jsonIn, type Place, type Row, rowOf, unusable } from './row.ts'

/** The noun that a file such as `customers.csv` or `customers-2024.csv.gz` is named after. Throws UsageError. */
const nounOf = (file: string): string => {
  const name = basename(file).toLowerCase()
  const resources = [...creates.values()].map(({ resource }) => resource)
  const found = resources.find(
    ({ plural }) => name.startsWith(plural) && !/^[a-z]/.test(name.slice(plural.length)),
  )
  if (found) return found.name
  const known = resources.map(({ plural }) => `${plural}.csv`).join(', ')
  throw new UsageError(`a CSV file must be named after its noun: ${known} (got "${file}")`)
}

/** A cell as JSON of its field's type; as a string, for the service to refuse, if the text has another type. */
const jsonOf = (schema: Schema | undefined, cell: string): string => {
  if (!schema || allows(schema, 'string')) return JSON.stringify(cell)
  const isPlain =
    (allows(schema, 'integer') && /^-?(0|[1-9]\d*)$/.test(cell)) ||
    (allows(schema, 'boolean') && /^(true|false)$/.test(cell)) ||
    (isComposite(schema) && jsonIn(cell) !== undefined)
  return isPlain ? cell : JSON.stringify(cell)
}

interface Column {
  readonly name: string
  /** The key within the field: `plan` of `metadata.plan`. */
  readonly key: string | undefined
}

const columnOf = (header: string): Column => {
  const [name = '', ...rest] = header.trim().split('.')
  return { name, key: rest.length > 0 ? rest.join('.') : undefined }
}

/** The create's body of a record. An empty cell is an absent field. */
const bodyOf = (properties: Properties, columns: readonly Column[], cells: readonly string[]): string => {
  const members: string[] = []
  const nested = new Map<string, string[]>()
  for (const [index, { name, key }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    if (key === undefined)
      members.push(
        `${JSON.stringify(name)}:${jsonOf(Object.hasOwn(properties, name) ? properties[name] : undefined, cell)}`,
      )
    else nested.set(name, [...(nested.get(name) ?? []), `${JSON.stringify(key)}:${JSON.stringify(cell)}`])
  }
  for (const [name, inner] of nested) members.push(`${JSON.stringify(name)}:{${inner.join()}}`)
  return `{${members.join()}}`
}

/** Decodes UTF-8. Throws for other bytes, which would be recorded as wrong characters. */
async function* textOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of stream) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** The rows of a CSV file, numbered from 1 after its header. Throws UsageError if the file's name has no noun. */
export async function* csvRows(file: string, stream: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const type = nounOf(file)
  const { properties = {} } = creates.get(type)?.body ?? {}
  const parser = parse({ relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_BYTES })
  let columns: Column[] | undefined
  let row = 0
  // An error of the text destroys the parser, which then throws.
  for await (const cells of pipeline(textOf(stream), parser, () => undefined) as AsyncIterable<string[]>) {
    if (!columns) {
      columns = cells.map(columnOf)
      continue
    }
    row += 1
    const place: Place = { file, row }
    const body = bodyOf(properties, columns, cells)
    const wrong = `The record must have ${columns.length} cells, as many as the header (got ${cells.length}).`
    yield cells.length === columns.length
      ? rowOf(place, type, body)!
      : { ...unusable(place, body, wrong), type }
  }
}
