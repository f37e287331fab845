import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { allows, isComposite, type Properties, type Schema } from '../../shared/contract/schema.ts'
import { UsageError } from '../operator/command.ts'
import { creates } from './creates.ts'
import { linesIn, MAX_BYTES, wrongByteIn } from './lines.ts'
import { jsonIn, type Place, type Row, rowOf, unusable } from './row.ts'

/** Returns the resource that a file such as `customers.csv` or `customers-2024.csv.gz` is named after. Throws UsageError. */
const resourceNameOf = (file: string): string => {
  const name = basename(file).toLowerCase()
  const resources = [...creates.values()].map(({ resource }) => resource)
  const found = resources.find(
    ({ plural }) => name.startsWith(plural) && !/^[a-z]/.test(name.slice(plural.length)),
  )
  if (found) return found.name
  const known = resources.map(({ plural }) => `${plural}.csv`).join(', ')
  throw new UsageError(`a CSV file must be named after its resource: ${known} (got "${file}")`)
}

/** Returns a cell as JSON of its field's type, or as a string, which the service refuses, if it has another type. */
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

/** The fields of columns, by the name in the header. A column with an empty field is skipped. */
export type ColumnNames = ReadonlyMap<string, string>

const columnOf = (header: string): Column => {
  const [name = '', ...rest] = header.split('.')
  return { name, key: rest.length > 0 ? rest.join('.') : undefined }
}

/** Throws UsageError for an unknown column, since every row would be refused. */
const columnsOf = (header: readonly string[], names: ColumnNames, properties: Properties): Column[] => {
  const columns = header.map((each) => columnOf(names.get(each) ?? each))
  const unknown = columns.findIndex(({ name }) => name !== '' && !Object.hasOwn(properties, name))
  if (unknown === -1) return columns
  const fields = Object.keys(properties).join(', ')
  const column = header[unknown]
  throw new UsageError(
    `the column "${column}" is not a field (${fields}); --map "${column}=FIELD" names its field, --map "${column}=" leaves it out`,
  )
}

/** Returns the most frequent delimiter of a header: Excel writes semicolons where the comma is the decimal sign. */
const delimiterOf = (header: string): string =>
  [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!

/** Returns the body of the create for a record. An empty cell is an absent field. */
const bodyOf = (properties: Properties, columns: readonly Column[], cells: readonly string[]): string => {
  const members: string[] = []
  const nested = new Map<string, string[]>()
  for (const [index, { name, key }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || name === '') continue
    if (key === undefined) members.push(`${JSON.stringify(name)}:${jsonOf(properties[name], cell)}`)
    else nested.set(name, [...(nested.get(name) ?? []), `${JSON.stringify(key)}:${JSON.stringify(cell)}`])
  }
  for (const [name, inner] of nested) members.push(`${JSON.stringify(name)}:{${inner.join()}}`)
  return `{${members.join()}}`
}

/** Yields the lines of a text. Throws for bytes that are not UTF-8, which would be recorded as wrong characters. */
async function* textsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let number = 0
  for await (const line of linesIn(stream)) {
    number += 1
    if (!line) throw new Error(`line ${number} is longer than ${MAX_BYTES} bytes`)
    const wrong = wrongByteIn(line)
    if (wrong !== undefined) throw new Error(`it must be UTF-8, and byte ${wrong} of line ${number} is not`)
    yield `${line}\n`
  }
}

/**
 * Reads the rows of a CSV file, numbered from 1 after its header. Throws UsageError if the file is not named after a
 * resource, or for an unknown column.
 */
export async function* csvRows(
  file: string,
  stream: AsyncIterable<Buffer>,
  names: ColumnNames,
): AsyncGenerator<Row> {
  const type = resourceNameOf(file)
  const { properties = {} } = creates.get(type)?.body ?? {}
  const texts = textsOf(stream)
  const { value: start = '' } = await texts.next()
  async function* all() {
    yield start
    yield* texts
  }
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(start),
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_BYTES,
  })
  let columns: Column[] | undefined
  let row = 0
  // An error of the text destroys the parser, which then throws.
  for await (const cells of pipeline(all(), parser, () => undefined) as AsyncIterable<string[]>) {
    if (!columns) {
      columns = columnsOf(cells, names, properties)
      continue
    }
    row += 1
    const place: Place = { file, row }
    const { length } = columns
    const wrong = `The record must have ${length} cells, as many as the header (got ${cells.length}).`
    yield cells.length === length
      ? rowOf(place, type, bodyOf(properties, columns, cells))!
      : { ...unusable(place, cells.join(), wrong), type }
  }
}
