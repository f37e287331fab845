import { objectsIn } from './json-objects.ts'
import { type Row, rowOf } from './row.ts'
import { type FindRecurrence, type Json, mapObject } from './stripe.ts'

/** The objects in a stream: single ones, and those in the API's list pages. */
export async function* stripeObjects(stream: AsyncIterable<Buffer>): AsyncGenerator<Json> {
  for await (const text of objectsIn(stream)) {
    const found = JSON.parse(text) as Json
    if (found.object !== 'list' || !Array.isArray(found.data)) yield found
    else if (found.data.every((each) => Object(each) === each)) yield* found.data as Json[]
    else throw new Error('a list must contain objects only')
  }
}

/** The rows of a file of Stripe's objects. */
export async function* stripeRows(
  file: string,
  stream: AsyncIterable<Buffer>,
  findRecurrence: FindRecurrence,
): AsyncGenerator<Row> {
  let row = 0
  for await (const object of stripeObjects(stream)) {
    row += 1
    const place = { file, row }
    const result = mapObject(object, findRecurrence)
    if ('body' in result) {
      const { type, body, ...erased } = result
      yield { ...rowOf(place, type, JSON.stringify(body))!, ...erased }
      continue
    }
    const { type = null } = result as { readonly type?: string }
    yield { ...place, type, id: object.id as string, body: JSON.stringify(object), keys: [], ...result }
  }
}
