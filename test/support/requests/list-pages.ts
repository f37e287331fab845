import type { ApiResponse, Client } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: an entity of any resource, whose schema was checked
type ListedEntity = any

export interface ListPage {
  readonly ids: string[]
  readonly items: ListedEntity[]
  readonly hasMore: boolean
  readonly next: string | null
  readonly previous: string | null
  readonly response: ApiResponse
}

/** `path` is such as `/api/products`. */
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
  const items = Object.values(json.data)[0] as ListedEntity[]
  const { has_more: hasMore, next_cursor: next, previous_cursor: previous } = json.pagination
  // has_more is true exactly if there is a next cursor.
  expect(hasMore).toBe(next !== null)
  return { ids: items.map(({ id }) => id), items, hasMore, next, previous, response }
}

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

export const readList = async (
  client: Client,
  path: string,
  query: Record<string, string | number> = {},
): Promise<ListedEntity[]> => {
  const pages = await readPages(client, path, query)
  return pages.flatMap(({ items }) => items)
}

/** The closest first. */
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
