import type { ApiResponse, Client } from './service.ts'

/** A page of a list. */
export interface ListPage {
  readonly ids: string[]
  // biome-ignore lint/suspicious/noExplicitAny: entities of any kind, whose schema was checked
  readonly items: any[]
  readonly more: boolean
  readonly next: string | null
  readonly previous: string | null
  readonly response: ApiResponse
}

/** Returns one page of the list at `path` (`/api/products`), with `query` as its parameters. */
export const pageAt = async (
  client: Client,
  path: string,
  query: Record<string, string | number | null> = {},
): Promise<ListPage> => {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
  const response = await client.get(`${path}?${text}`)
  const { status, json } = response
  if (status !== 200) throw new Error(`GET ${path}?${text} responded with ${status}: ${JSON.stringify(json)}`)
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const items = Object.values(json.data)[0] as any[]
  const { has_more: more, next_cursor: next, previous_cursor: previous } = json.pagination
  // has_more is true exactly if there is a next cursor.
  expect(more).toBe(next !== null)
  return { ids: items.map(({ id }) => id), items, more, next, previous, response }
}

/** Returns all pages, newest first. */
export const forward = async (
  client: Client,
  path: string,
  query: Record<string, string | number> = {},
): Promise<ListPage[]> => {
  const pages = [await pageAt(client, path, query)]
  for (let next = pages[0]!.next; next; next = pages.at(-1)!.next)
    pages.push(await pageAt(client, path, { ...query, cursor: next }))
  return pages
}

/** Returns all pages before `page`, the closest first. */
export const backward = async (
  client: Client,
  path: string,
  query: Record<string, string | number>,
  page: ListPage,
): Promise<ListPage[]> => {
  const pages: ListPage[] = []
  for (let previous = page.previous; previous; previous = pages.at(-1)!.previous)
    pages.push(await pageAt(client, path, { ...query, cursor: previous }))
  return pages
}

/** Runs `work` for each value, `width` at a time, and returns the results in the order of the values. */
export const inParallel = async <T, R>(
  values: readonly T[],
  work: (value: T, index: number) => Promise<R>,
  width = 25,
): Promise<R[]> => {
  const results: R[] = []
  for (let start = 0; start < values.length; start += width) {
    const group = values.slice(start, start + width)
    results.push(...(await Promise.all(group.map((value, index) => work(value, start + index)))))
  }
  return results
}

/** Returns the numbers from 0 to `count - 1`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
