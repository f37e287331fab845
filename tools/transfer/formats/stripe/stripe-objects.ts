import { isRecord } from '../../../../shared/contract/schema.ts'
import { readJsonObjects } from './json-objects.ts'
import type { StripeObject } from './values.ts'

/** An object of Stripe, and its 1-based number in the file. */
export interface NumberedObject {
  readonly object: StripeObject
  readonly row: number
}

/** A page of a list or of a search, without its objects. */
export interface ListPage {
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
