import { isUtf8 } from 'node:buffer'
import { wrongByteIn } from '../../../shared/http/body.ts'
import { linesIn } from '../lines.ts'
import { type Origin, type Row, rowOf, unusable } from '../row.ts'

const SHAPE = '{"type": "customer", "data": {…}}'
// The body is cut out of the line as text, since JSON.parse would hide duplicate keys and round large numbers, which the
// service refuses. A line that matches by mistake is not valid JSON.
const [type, data] = [/"type"\s*:\s*"(?<type>[^"\\]*)"/.source, /"data"\s*:\s*(?<data>\{.*\})/.source]
const erased = /(?<erased>"erased"\s*:\s*true)/.source
const orders = [
  [type, data],
  [data, type],
].flatMap((both) => [both, ...[0, 1, 2].map((at) => both.toSpliced(at, 0, erased))])
const forms = orders.map(
  (members) => new RegExp(`^\\s*\\{\\s*${members.join('\\s*,\\s*')}\\s*\\}\\s*$`, 'su'),
)

const erasedRow = (row: Row): Row =>
  row.type === 'customer' || row.problem !== undefined
    ? { ...row, isErased: true }
    : { ...row, problem: '"erased" is for customers only.' }

const rowIn = (origin: Origin, line: Buffer | undefined): Row | undefined => {
  if (!line) return unusable(origin, '', 'The line must be at most 1 MiB long.')
  if (!isUtf8(line))
    return unusable(
      origin,
      line.toString('latin1'),
      `The line must be UTF-8 (its byte ${wrongByteIn(line)} is not).`,
    )
  const text = line.toString()
  if (text.trim() === '') return undefined
  for (const form of forms) {
    const { type, data, erased } = form.exec(text)?.groups ?? {}
    const row = type !== undefined && data !== undefined ? rowOf(origin, type, data) : undefined
    if (row && erased !== undefined) return erasedRow(row)
    if (row) return row
  }
  return unusable(origin, text, `The line must be JSON such as ${SHAPE}, with nothing else in it.`)
}

/** Yields the rows of an NDJSON file. Row numbers are those of lines, empty ones included. */
export async function* ndjsonRows(file: string, stream: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let row = 0
  for await (const line of linesIn(stream)) {
    row += 1
    const found = rowIn({ file, row }, line)
    if (found) yield found
  }
}
