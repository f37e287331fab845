import type { AllOptions, ListOptions, Page } from './operations.ts'

type Includes = readonly string[]

/** Iterates over the entities of a list and reads it page by page. After an abort, throws at the next entity. */
export async function* all<Entity>(
  list: (options: ListOptions<Includes>) => Promise<Page<Entity>>,
  { direction, ...options }: AllOptions<Includes>,
): AsyncIterableIterator<Entity> {
  const newer = direction === 'newer'
  let cursor = options.cursor ?? null
  if (newer && !cursor) return
  do {
    const page = await list({ limit: 100, ...options, cursor })
    for (const entity of newer ? page.items.reverse() : page.items) {
      options.signal?.throwIfAborted()
      yield entity
    }
    cursor = newer ? page.previous_cursor : page.next_cursor
  } while (cursor !== null)
}
