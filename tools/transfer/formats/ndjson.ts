import { isUtf8 } from 'node:buffer'
import { allowsType, isRecord, type Properties, type Values } from '../../../shared/contract/schema.ts'
import { invalidBytePosition } from '../../../shared/http/body.ts'
import { GIVEN_TWICE, textViolations } from '../../../shared/http/validation/exact-json.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { type Draft, type Origin, unusableDraft } from '../draft.ts'
import { readLines } from '../lines.ts'
import { losslessNumber, parseLossless } from '../lossless-json.ts'
import { INTEGER } from './csv/cell-values.ts'

const WRONG_SHAPE =
  'The line must be JSON such as {"type": "customer", "data": {…}}, with nothing else in it.'
const memberNames: ReadonlySet<string> = new Set(['type', 'data', 'erased'])

/** The members of a line. */
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

/** Returns values in which texts with integers in fields of integers, as databases write them in JSON, are integers. */
const withIntegers = (values: Values, properties: Properties): Values => {
  const converted = Object.entries(values).map(([name, value]): [string, unknown] => {
    const schema = properties[name]
    const parts = schema?.items?.properties
    if (parts && Array.isArray(value))
      return [name, value.map((part) => (isRecord(part) ? withIntegers(part, parts) : part))]
    const isText = typeof value === 'string' && INTEGER.test(value)
    const isInteger = schema && allowsType(schema, 'integer') && !allowsType(schema, 'string')
    return [name, isText && isInteger ? losslessNumber(value) : value]
  })
  return Object.fromEntries(converted)
}

/** Returns the path of the first key that an object in a JSON text has twice: parsing would keep only the last value. */
const repeatedKeyIn = (text: string): string | undefined =>
  textViolations(text).find(({ problem }) => problem === GIVEN_TWICE)?.path

const draftIn = (origin: Origin, text: string): Draft => {
  const line = parseLossless(text)
  if (!isLine(line)) return unusableDraft(origin, text, WRONG_SHAPE)
  const properties = createEndpoints.get(line.type)?.body?.properties ?? {}
  const draft = { ...origin, type: line.type, data: withIntegers(line.data, properties) }
  const repeatedKey = repeatedKeyIn(text)
  if (repeatedKey !== undefined)
    return { ...draft, problem: `${repeatedKey.replace(/^data\./, '')} ${GIVEN_TWICE}.` }
  if (!line.erased) return draft
  return line.type === customer.name
    ? { ...draft, isErased: true }
    : { ...draft, problem: 'Only customers can have "erased".' }
}

/** Yields the rows of an NDJSON file. The number of a row is its line, where empty lines count too. */
export async function* readNdjsonDrafts(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Draft> {
  let row = 0
  for await (const line of readLines(bytes)) {
    row += 1
    const origin = { file, row }
    if (!line) yield unusableDraft(origin, '', 'The line must be at most 1 MiB long.')
    else if (!isUtf8(line)) {
      const problem = `The line must be UTF-8 (its byte ${invalidBytePosition(line)} is not).`
      yield unusableDraft(origin, line.toString('latin1'), problem)
    } else {
      // Programs on Windows begin a file with a byte order mark.
      const text = row === 1 ? line.toString().replace('\uFEFF', '') : line.toString()
      if (text.trim() !== '') yield draftIn(origin, text)
    }
  }
}
