import { isRecord } from '../../../../shared/contract/schema.ts'
import { objectsIn } from './json-objects.ts'
import type { Json } from './values.ts'

/** An object of Stripe, and its 1-based number in the file. */
export interface NumberedObject {
  readonly object: Json
  readonly row: number
}

/** A page of a list or of a search, without its objects. */
export interface Page {
  readonly url: string
  readonly hasMore: boolean
}

const listTypes: ReadonlySet<unknown> = new Set(['list', 'search_result'])

/** Yields the objects in a stream: single ones, and those in the API's pages. Each page follows its objects. */
export async function* stripeObjects(stream: AsyncIterable<Buffer>): AsyncGenerator<NumberedObject | Page> {
  let row = 0
  for await (const text of objectsIn(stream)) {
    const found = JSON.parse(text) as Json
    if (!listTypes.has(found.object) || !Array.isArray(found.data)) {
      row += 1
      yield { object: found, row }
      continue
    }
    if (!found.data.every(isRecord)) throw new Error('a list must contain objects only')
    for (const object of found.data) {
      row += 1
      yield { object, row }
    }
    yield { url: String(found.url), hasMore: found.has_more === true }
  }
}
