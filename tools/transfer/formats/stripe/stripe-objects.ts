import { isRecord } from '../../../../shared/contract/schema.ts'
import type { StripeObject } from './values.ts'

/** The maximum size of an object: more than a page of a hundred large objects needs. */
const MAX_BYTES = 64 * 1024 * 1024

const codeOf = (character: string): number => character.charCodeAt(0)

const QUOTE = codeOf('"')
const BACKSLASH = codeOf('\\')
const OPENING_BRACE = codeOf('{')
const CLOSING_BRACE = codeOf('}')
const OPENING_BRACKET = codeOf('[')
const CLOSING_BRACKET = codeOf(']')

const byteOrderMark = [0xef, 0xbb, 0xbf]
/** The bytes that can be between objects: white space, the commas of a list, and a byte order mark. */
const separators: ReadonlySet<number> = new Set([...[...' \t\r\n,'].map(codeOf), ...byteOrderMark])

/** Finds JSON objects in a sequence of bytes. The objects may be elements of lists. Lists and objects in an object are part of it. */
class ObjectScanner {
  /** The number of open lists around objects. */
  #lists = 0
  /** The number of open objects and lists in the current object; 0 between objects. */
  #depth = 0
  #isInString = false
  #isEscaped = false

  get isInObject(): boolean {
    return this.#depth > 0
  }

  get isInList(): boolean {
    return this.#lists > 0
  }

  /** Takes the next byte. Returns whether an object begins or ends with it. Throws Error if it cannot be between objects. */
  next(byte: number): 'start' | 'end' | undefined {
    if (this.#isInString) return this.#nextInString(byte)
    return this.#depth === 0 ? this.#nextBetweenObjects(byte) : this.#nextInObject(byte)
  }

  #nextInString(byte: number): undefined {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isInString = false
  }

  #nextBetweenObjects(byte: number): 'start' | undefined {
    if (byte === OPENING_BRACE) {
      this.#depth = 1
      return 'start'
    }
    if (byte === OPENING_BRACKET) this.#lists += 1
    else if (byte === CLOSING_BRACKET && this.#lists > 0) this.#lists -= 1
    else if (!separators.has(byte)) throw new Error('it must contain JSON objects')
    return undefined
  }

  #nextInObject(byte: number): 'end' | undefined {
    if (byte === QUOTE) this.#isInString = true
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) this.#depth += 1
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      this.#depth -= 1
      if (this.#depth === 0) return 'end'
    }
    return undefined
  }
}

/**
 * Yields the text of each JSON object in a stream, whether the objects are in lists, one per line or concatenated. Throws Error for
 * anything else, and for bytes that are not UTF-8.
 */
export async function* readJsonObjects(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const scanner = new ObjectScanner()
  /** The parts of the current object in earlier chunks. */
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    let start = 0
    for (let position = 0; position < chunk.length; position += 1) {
      const event = scanner.next(chunk[position]!)
      if (event === 'start') start = position
      else if (event === 'end') {
        yield decoder.decode(Buffer.concat([...parts, chunk.subarray(start, position + 1)]))
        parts = []
        size = 0
      }
    }
    if (!scanner.isInObject) continue
    const part = chunk.subarray(start)
    parts.push(part)
    size += part.length
    if (size > MAX_BYTES) throw new Error(`it contains an object of more than ${MAX_BYTES / 1024 / 1024} MiB`)
  }
  if (scanner.isInObject) throw new Error('it ends in the middle of an object')
  if (scanner.isInList) throw new Error('it ends in the middle of a list')
}

/** An object of Stripe, and its 1-based number in the file. */
export interface NumberedObject {
  readonly object: StripeObject
  readonly row: number
}

/** A page of a list or of a search, without its objects. */
interface ListPage {
  /** The URL of the list, which is the same for all of its pages. */
  readonly url: string
  readonly hasMore: boolean
}

const listTypes: ReadonlySet<unknown> = new Set(['list', 'search_result'])

/**
 * Yields the objects in a stream: single objects, and the objects in pages of the API. Yields each page after its objects. Throws
 * Error if the stream does not consist of JSON objects.
 */
export async function* readStripeObjects(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<NumberedObject | ListPage> {
  let row = 0
  for await (const text of readJsonObjects(stream)) {
    const parsed = JSON.parse(text) as StripeObject
    const { data } = parsed
    if (!listTypes.has(parsed.object) || !Array.isArray(data)) {
      row += 1
      yield { object: parsed, row }
      continue
    }
    if (!data.every(isRecord)) throw new Error('a list must contain only objects')
    for (const object of data) {
      row += 1
      yield { object, row }
    }
    yield { url: String(parsed.url), hasMore: parsed.has_more === true }
  }
}
