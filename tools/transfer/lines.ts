/** The maximum length of a line, four times the size limit of a request body. A longer line is not kept in memory. */
export const MAX_LINE_BYTES = 1024 * 1024

const LINE_FEED = 0x0a

/** Without their line feeds. Yields undefined for a line of more than 1 MiB. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  /** The parts of the current line, which may arrive in several chunks; none if it is too long. */
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length > MAX_LINE_BYTES) parts = []
    else parts.push(part)
  }
  const take = (): Buffer | undefined => {
    const line = length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
