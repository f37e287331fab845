import { setTimeout as pause } from 'node:timers/promises'
import { type Course, micros, newClient } from './client.ts'
import { LIST_DELAY } from './network.ts'

type Row = Record<string, unknown> & { readonly id: string; readonly changed?: number }

/** `plural` is the list, such as `customers`. */
export const newReader = (plural: string, course: Course) => {
  const { credentials, history } = course
  const client = newClient(course, `reader of ${plural}`)
  const { insist, random } = client
  const key = `${plural} of ${credentials.app_id}`
  /**
   * Reads to the end and records the walk. If `stops` returns true after a page, stops there and records
   * nothing.
   */
  const read = async (
    op: string,
    query: Record<string, string>,
    see: (row: Row) => void,
    stops = () => false,
  ): Promise<void> => {
    const rows: { id: string; changed: number }[] = []
    const call = micros()
    for (let next: string | null = ''; next !== null; ) {
      const limit = String(random.choose(3, 10, 100))
      const page = new URLSearchParams({ ...(next ? { cursor: next } : query), limit })
      const { data, pagination } = await insist({
        credentials,
        method: 'GET',
        path: `/api/${plural}?${page}`,
      })
      for (const row of data[plural] as Row[]) {
        rows.push({ id: row.id, changed: row.changed ?? 0 })
        see(row)
      }
      next = pagination.next_cursor
      if (next !== null && stops()) return
      await pause(random.number(20))
    }
    const origin = { client: client.name, process: 'all', call, return: micros() }
    history.push({ kind: 'list', key, op, input: { delay: LIST_DELAY }, outcome: 'ok', rows, ...origin })
  }
  const copy = new Map<string, Row>()
  let bookmark = 0
  /** Brings the copy up to date, or stops after a page with some probability. */
  const follow = (stopping: number) => {
    const see = (row: Row) => {
      copy.set(row.id, row)
      bookmark = Math.max(bookmark, row.changed ?? 0)
    }
    return read('walk changes', { changed_since: String(bookmark) }, see, () => random.number(1) < stopping)
  }
  return { copy, follow, walk: () => read('walk', {}, () => undefined) }
}
