/** The maximum size of an object, more than a page of a hundred large ones needs. */
const MAX_BYTES = 64 * 1024 * 1024

const code = (character: string): number => character.charCodeAt(0)
const QUOTE = code('"')
const BACKSLASH = code('\\')
const opening = new Set(['{', '['].map(code))
const closing = new Set(['}', ']'].map(code))
/** What may be between objects: white space, the commas of a list, and a byte order mark. */
const between = new Set([...[...' \t\r\n,'].map(code), 0xef, 0xbb, 0xbf])

/** Yields the text of each JSON object in a stream, whether in a list, one per line or concatenated. */
export async function* objectsIn(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let parts: Buffer[] = []
  let lists = 0
  let depth = 0
  let size = 0
  let inText = false
  let isEscaped = false
  for await (const chunk of stream) {
    let start = 0
    for (const [at, byte] of chunk.entries()) {
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inText = false
      } else if (depth === 0) {
        if (byte === code('{')) {
          depth = 1
          start = at
        } else if (byte === code('[')) lists += 1
        else if (byte === code(']') && lists > 0) lists -= 1
        else if (!between.has(byte)) throw new Error('it must contain JSON objects')
      } else if (byte === QUOTE) inText = true
      else if (opening.has(byte)) depth += 1
      else if (closing.has(byte)) {
        depth -= 1
        if (depth > 0) continue
        yield decoder.decode(Buffer.concat([...parts, chunk.subarray(start, at + 1)]))
        parts = []
        size = 0
      }
    }
    if (depth === 0) continue
    parts.push(chunk.subarray(start))
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`it contains an object of more than ${MAX_BYTES / 1024 / 1024} MiB`)
  }
  if (depth > 0) throw new Error('it ends in the middle of an object')
  if (lists > 0) throw new Error('it ends in the middle of a list')
}
