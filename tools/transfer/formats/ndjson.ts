import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../../shared/contract/schema.ts'
import { invalidBytePosition } from '../../../shared/http/body.ts'
import { GIVEN_TWICE, textViolations } from '../../../shared/http/validation/exact-json.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { exactJsonIn } from '../exact-json.ts'
import { linesIn } from '../lines.ts'
import { type Draft, type Origin, unusable } from '../row.ts'

const SHAPE = '{"type": "customer", "data": {…}}'
const members: ReadonlySet<string> = new Set(['type', 'data', 'erased'])

/** Returns the first key that an object in a text of JSON has twice, of which parsing would keep the last. */
const repeatedKeyIn = (text: string): string | undefined =>
  textViolations(text).find(({ problem }) => problem === GIVEN_TWICE)?.path

const draftIn = (origin: Origin, text: string): Draft => {
  const wrong = (problem: string) => unusable(origin, text, problem)
  const entry = exactJsonIn(text)
  if (!isRecord(entry) || Object.keys(entry).some((name) => !members.has(name)))
    return wrong(`The line must be JSON such as ${SHAPE}, with nothing else in it.`)
  const { type, data, erased } = entry
  if (typeof type !== 'string' || !isRecord(data) || (erased !== undefined && erased !== true))
    return wrong(`The line must be JSON such as ${SHAPE}, with nothing else in it.`)
  const draft = { ...origin, type, data }
  const repeated = repeatedKeyIn(text)
  if (repeated !== undefined)
    return { ...draft, problem: `${repeated.replace(/^data\./, '')} ${GIVEN_TWICE}.` }
  if (erased === undefined) return draft
  return type === customer.name
    ? { ...draft, isErased: true }
    : { ...draft, problem: '"erased" is for customers only.' }
}

/** Yields the rows of NDJSON. Row numbers are those of lines, empty ones included. */
export async function* ndjsonDrafts(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Draft> {
  let row = 0
  for await (const line of linesIn(bytes)) {
    row += 1
    const origin = { file, row }
    if (!line) yield unusable(origin, '', 'The line must be at most 1 MiB long.')
    else if (!isUtf8(line))
      yield unusable(
        origin,
        line.toString('latin1'),
        `The line must be UTF-8 (its byte ${invalidBytePosition(line)} is not).`,
      )
    else if (line.toString().trim() !== '') yield draftIn(origin, line.toString())
  }
}
