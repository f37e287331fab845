import { useRef, useState } from 'preact/hooks'
import { type ListCopy, type ListSource, updateCopy } from '../copy/reading.ts'
import type { CopyThread } from '../copy/thread.ts'
import { type CopiedList, copiedIncludes, copiedLists, type RecordedEntity } from '../records/entities.ts'
import { type Session, useSession } from './session.ts'

/** The number of records after which reading stops until the user confirms that it continues. */
const RECORDS_BEFORE_CONFIRMATION = 200_000

const PAGE_LIMIT = 100

const listSource = (session: Session, list: CopiedList, signal: AbortSignal): ListSource => {
  const api = session.api[list]!
  const include = copiedIncludes[list]
  return {
    changes: (since) => api.changes({ since, include, signal }),
    async *newest() {
      let cursor: string | null = null
      do {
        const page: { items: readonly RecordedEntity[]; next_cursor: string | null } = await api.list({
          include,
          cursor,
          signal,
          limit: PAGE_LIMIT,
        })
        yield page.items
        cursor = page.next_cursor
      } while (cursor !== null)
    },
  }
}

const listCopy = ({ copy }: CopyThread, list: CopiedList): ListCopy => ({
  bookmark: () => copy.bookmark(list),
  write: (page, after) => copy.write(list, page, after),
})

/**
 * An update ends when all lists are read, it is stopped, a request fails, or there are so many records that the user has to
 * confirm that it continues. `refresh` reads the extent of the copy again.
 */
export const useCopyUpdates = (thread: { current: CopyThread | null }, refresh: () => Promise<void>) => {
  const session = useSession()
  const running = useRef<AbortController>(null)
  /** The number of records after which an update stops for a confirmation. Each stop raises it. */
  const recordLimit = useRef(RECORDS_BEFORE_CONFIRMATION)
  const [recordsRead, setRecordsRead] = useState<number>()
  const [awaitsConfirmation, setAwaitsConfirmation] = useState(false)
  const [error, setError] = useState<unknown>()
  /** Returns a function that counts the records of pages, and stops the update for a confirmation. */
  const pageCounter = (update: AbortController) => {
    let count = 0
    return (entityCount: number) => {
      count += entityCount
      setRecordsRead(count)
      if (count < recordLimit.current) return
      recordLimit.current += RECORDS_BEFORE_CONFIRMATION
      setAwaitsConfirmation(true)
      update.abort()
    }
  }
  const updateAll = async () => {
    if (running.current) return
    const update = new AbortController()
    running.current = update
    setError(undefined)
    setAwaitsConfirmation(false)
    setRecordsRead(0)
    const onPage = pageCounter(update)
    const updates = copiedLists.map((list) =>
      updateCopy(listCopy(thread.current!, list), listSource(session, list, update.signal), onPage),
    )
    await Promise.all(updates).catch((thrown) => {
      if (!update.signal.aborted) setError(thrown)
      // The error of one list also stops the other lists.
      update.abort()
    })
    await Promise.allSettled(updates)
    // First the new extent, so that the page does not show the end of reading with the earlier extent.
    await refresh().finally(() => {
      running.current = null
      setRecordsRead(undefined)
    })
  }
  return {
    recordsRead,
    awaitsConfirmation,
    error,
    setError,
    start: () => updateAll().catch(setError),
    stop: () => running.current?.abort(),
  }
}
