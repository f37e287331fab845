import { objectsIn } from './json-objects.ts'
import { type Row, rowOf } from './row.ts'
import { mapped } from './stripe.ts'
import type { Json, Recurrences } from './stripe-values.ts'

/** The objects in a stream: single ones, or those in lists as the API gives them, page after page. */
export async function* stripeObjects(stream: AsyncIterable<Buffer>): AsyncGenerator<Json> {
  for await (const text of objectsIn(stream)) {
    const found = JSON.parse(text) as Json
    if (found.object === 'list' && Array.isArray(found.data)) yield* found.data as Json[]
    else yield found
  }
}

/** The rows of a file of Stripe's objects. */
export async function* stripeRows(
  file: string,
  stream: AsyncIterable<Buffer>,
  recurrences: Recurrences,
): AsyncGenerator<Row> {
  let row = 0
  for await (const object of stripeObjects(stream)) {
    row += 1
    const place = { file, row }
    const result = mapped(object, recurrences)
    if ('body' in result) {
      const { type, body, ...erased } = result
      yield { ...rowOf(place, type, JSON.stringify(body))!, ...erased }
      continue
    }
    const { type = null } = result as { readonly type?: string }
    yield { ...place, type, id: object.id as string, body: JSON.stringify(object), keys: [], ...result }
  }
}
