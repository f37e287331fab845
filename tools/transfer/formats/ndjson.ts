import { isUtf8 } from 'node:buffer'
import { allowsType, isRecord, type Properties, type Values } from '../../../shared/contract/schema.ts'
import { invalidBytePosition } from '../../../shared/http/body.ts'
import { GIVEN_TWICE, textViolations } from '../../../shared/http/validation/exact-json.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { readLines } from '../input.ts'
import { losslessNumber, parseLossless } from '../lossless-json.ts'
import { invalid, type Row, unusableRow } from '../row.ts'
import { INTEGER, refuseChangedId } from './csv/cell-values.ts'

const WRONG_SHAPE =
  'The line must be JSON such as {"type": "customer", "data": {…}}, with nothing else in it.'
const BYTE_ORDER_MARK = '\uFEFF'
const JOINED_FILES =
  'The line has the byte order mark U+FEFF within it, as in files that were joined: begin a new line at it.'
const memberNames: ReadonlySet<string> = new Set(['type', 'data', 'erased'])

interface LineMembers {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly erased?: true
}

const isLine = (value: unknown): value is LineMembers => {
  if (!isRecord(value)) return false
  const { type, data, erased } = value
  return (
    Object.keys(value).every((name) => memberNames.has(name)) &&
    typeof type === 'string' &&
    isRecord(data) &&
    (erased === undefined || erased === true)
  )
}

/**
 * Makes texts with integers, as databases write them in JSON, integers in fields of integers. Throws CommandError, with the place, for
 * an id that another program has changed.
 */
const readValues = (values: Values, properties: Properties, place: string): Values => {
  const converted = Object.entries(values).map(([field, value]): [string, unknown] => {
    const schema = properties[field]
    const parts = schema?.items?.properties
    if (parts && Array.isArray(value))
      return [field, value.map((part) => (isRecord(part) ? readValues(part, parts, place) : part))]
    for (const text of [value].flat())
      if (schema && typeof text === 'string') refuseChangedId(text, { place, field, schema })
    const isText = typeof value === 'string' && INTEGER.test(value)
    const isInteger = schema && allowsType(schema, 'integer') && !allowsType(schema, 'string')
    return [field, isText && isInteger ? losslessNumber(value) : value]
  })
  return Object.fromEntries(converted)
}

/** The path of the first key that an object in a JSON text has twice: parsing would keep only the last value. */
const repeatedKeyIn = (text: string): string | undefined =>
  textViolations(text).find(({ problem }) => problem === GIVEN_TWICE)?.path

const types = [...createEndpoints.keys()].map((name) => `"${name}"`).join(', ')

const rowIn = (origin: Pick<Row, 'file' | 'row'>, text: string): Row => {
  const line = parseLossless(text)
  if (!isLine(line))
    return unusableRow(origin, text, text.includes(BYTE_ORDER_MARK) ? JOINED_FILES : WRONG_SHAPE)
  const endpoint = createEndpoints.get(line.type)
  if (!endpoint) return unusableRow(origin, text, `type must be one of ${types} (got "${line.type}").`)
  const place = `line ${origin.row} of ${origin.file}`
  const data = readValues(line.data, endpoint.body?.properties ?? {}, place)
  const row = { ...origin, type: line.type, data }
  const repeatedKey = repeatedKeyIn(text)
  if (repeatedKey !== undefined)
    return { ...row, result: invalid(`${repeatedKey.replace(/^data\./, '')} ${GIVEN_TWICE}.`) }
  if (!line.erased) return row
  return line.type === customer.name
    ? { ...row, isErased: true }
    : { ...row, result: invalid('Only customers can have "erased".') }
}

/** Yields the rows of an NDJSON file. The number of a row is its line, where empty lines count too. */
export async function* readNdjsonRows(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let row = 0
  for await (const line of readLines(bytes)) {
    row += 1
    const origin = { file, row }
    if (!line) yield unusableRow(origin, '', 'The line must be at most 1 MiB long.')
    else if (!isUtf8(line)) {
      const problem = `The line must be UTF-8 (its byte ${invalidBytePosition(line)} is not).`
      yield unusableRow(origin, line.toString('latin1'), problem)
    } else {
      // Programs on Windows begin a file with a byte order mark, which joined files have in later lines, too.
      const text = line.toString().replace(/^\uFEFF/, '')
      if (text.trim() !== '') yield rowIn(origin, text)
    }
  }
}
