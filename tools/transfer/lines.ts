/** The maximum length of a line, four times that of a request body. A longer line is not kept in memory. */
export const MAX_BYTES = 1024 * 1024
const NEWLINE = 0x0a

/** Yields the lines of a byte stream, without line feeds; undefined for a line over 1 MiB. */
export async function* linesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let size = 0
  const keep = (part: Buffer): void => {
    size += part.length
    if (size > MAX_BYTES) parts = []
    else parts.push(part)
  }
  const take = (): Buffer | undefined => {
    const line = size > MAX_BYTES ? undefined : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    keep(chunk.subarray(start))
  }
  if (size > 0) yield take()
}
