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
export const readPage = async (
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
export const readPages = async (
  client: Client,
  path: string,
  query: Record<string, string | number> = {},
): Promise<ListPage[]> => {
  const pages = [await readPage(client, path, query)]
  for (let next = pages[0]!.next; next; next = pages.at(-1)!.next)
    pages.push(await readPage(client, path, { ...query, cursor: next }))
  return pages
}

/** Returns all pages before `page`, the closest first. */
export const readPagesBefore = async (
  client: Client,
  path: string,
  query: Record<string, string | number>,
  page: ListPage,
): Promise<ListPage[]> => {
  const pages: ListPage[] = []
  for (let previous = page.previous; previous; previous = pages.at(-1)!.previous)
    pages.push(await readPage(client, path, { ...query, cursor: previous }))
  return pages
}
