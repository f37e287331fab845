/** The maximum length of a line, four times the size limit of a request body. A longer line is not kept in memory. */
export const MAX_LINE_BYTES = 1024 * 1024

const LINE_FEED = 0x0a

/** Collects the parts of a line, which may arrive in several chunks. */
class LineBuffer {
  #parts: Buffer[] = []
  #length = 0

  /** The length so far, including parts that were dropped because the line is too long. */
  get length(): number {
    return this.#length
  }

  add(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MAX_LINE_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  /** Returns the line, or undefined if it is too long, and starts the next one. */
  take(): Buffer | undefined {
    const line = this.#length > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    return line
  }
}

/** Yields the lines of a byte stream, without their line feeds. Yields undefined for a line of more than 1 MiB. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  const line = new LineBuffer()
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      line.add(chunk.subarray(start, end))
      yield line.take()
      start = end + 1
    }
    line.add(chunk.subarray(start))
  }
  if (line.length > 0) yield line.take()
}
