import { linesIn, wrongByteIn } from './lines.ts'
import { type Place, type Row, rowOf, unusable } from './row.ts'

const SHAPE = '{"type": "customer", "data": {…}}'
// The body is cut out of the line, because JSON.parse would drop duplicate keys and round large numbers, which the service
// refuses. A line that matches by mistake is not valid JSON.
const forms = [
  /^\s*\{\s*"type"\s*:\s*"(?<type>[^"\\]*)"\s*,\s*"data"\s*:\s*(?<data>\{.*\})\s*(?<erased>,\s*"erased"\s*:\s*true\s*)?\}\s*$/su,
  /^\s*\{\s*"data"\s*:\s*(?<data>\{.*\})\s*,\s*"type"\s*:\s*"(?<type>[^"\\]*)"\s*\}\s*$/su,
]

const erasedRow = (row: Row): Row =>
  row.type === 'customer' || row.problem !== undefined
    ? { ...row, isErased: true }
    : { ...row, problem: '"erased" is for customers only.' }

const rowIn = (place: Place, line: Buffer | undefined): Row | undefined => {
  if (!line) return unusable(place, '', 'The line must be at most 1 MiB long.')
  const wrong = wrongByteIn(line)
  if (wrong !== undefined)
    return unusable(place, line.toString('latin1'), `The line must be UTF-8 (its byte ${wrong} is not).`)
  const text = line.toString()
  if (text.trim() === '') return undefined
  for (const form of forms) {
    const { type, data, erased } = form.exec(text)?.groups ?? {}
    const row = type !== undefined && data !== undefined ? rowOf(place, type, data) : undefined
    if (row && erased !== undefined) return erasedRow(row)
    if (row) return row
  }
  return unusable(place, text, `The line must be JSON such as ${SHAPE}, with nothing else in it.`)
}

/** Yields the rows of NDJSON. Empty lines are counted in the row numbers. */
export async function* ndjsonRows(file: string, stream: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let row = 0
  for await (const line of linesIn(stream)) {
    row += 1
    const found = rowIn({ file, row }, line)
    if (found) yield found
  }
}
