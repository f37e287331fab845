import { BillingApiError } from '../client/index.ts'
import type { Entity, Operations } from './api.ts'
import type { Bookmark, LocalCopy } from './local-copy.ts'

/** A list to copy. */
export interface Copied {
  readonly plural: string
  readonly include: string
  /** Whether the list can be read by what changed; otherwise each walk reads all of it. */
  readonly hasChangedSince: boolean
}

interface Walk {
  readonly copy: LocalCopy
  readonly list: Operations['list']
  readonly signal: AbortSignal
  /** Runs after each page with the number of its entities. */
  readonly onPage: (read: number) => void
}

const bookmarkAfter = (before: Bookmark, page: readonly Entity[], cursor: string | null): Bookmark => {
  const reached = page.reduce((latest, { changed }) => Math.max(latest, Number(changed ?? 0)), before.reached)
  if (cursor !== null) return { ...before, cursor, reached }
  // The next walk begins with the last second again: more may have changed in it.
  return { since: reached, cursor, reached, complete: true }
}

/**
 * Brings the copy of a list up to date, page by page, from where the last walk stopped. Each page is kept before the next is
 * asked for. Rejects with what a request rejects with, or with the signal's reason.
 */
export const update = async ({ plural, include, hasChangedSince }: Copied, walk: Walk): Promise<void> => {
  const { copy, list, signal, onPage } = walk
  let bookmark = await copy.bookmark(plural)
  let more = true
  while (more) {
    signal.throwIfAborted()
    const { since, cursor } = bookmark
    const options = { include, limit: 100, ...(hasChangedSince ? { changed_since: since } : {}) }
    const page = await list({ ...options, cursor, signal }).catch((error: unknown) => {
      const refused = cursor !== null && error instanceof BillingApiError && error.status === 422
      if (!refused) throw error
      return undefined
    })
    bookmark = page ? bookmarkAfter(bookmark, page.items, page.next_cursor) : { ...bookmark, cursor: null }
    await copy.write(plural, page?.items ?? [], bookmark)
    if (page) onPage(page.items.length)
    more = page?.next_cursor !== null
  }
}
