import { setTimeout as pause } from 'node:timers/promises'
import { LIST_DELAY } from './network.ts'
import { type Course, newClient } from './races.ts'
import { micros, type Operation } from './recorder.ts'

type Row = Record<string, unknown> & { readonly id: string; readonly changed?: number }

/** Returns readers of one list, `customers` for example. */
export const readersOf = (plural: string, course: Course) => {
  const { credentials, history } = course
  const { recorder, random } = newClient(course, `reader of ${plural}`)
  const key = `${plural} of ${credentials.app_id}`
  const readPage = async (query: Record<string, string>) => {
    const path = `/api/${plural}?${new URLSearchParams({ ...query, limit: String(random.choose(3, 10, 100)) })}`
    const { status, json } = await recorder.insist({ credentials, method: 'GET', path })
    if (status !== 200) throw new Error(`${path} responded with ${status}: ${JSON.stringify(json)}`)
    return { rows: json.data[plural] as Row[], next: json.pagination.next_cursor as string | null }
  }
  /** Reads to the end, or until `stops` returns true after a page. Records a whole walk. */
  const walk = async (
    op: string,
    query: Record<string, string>,
    see: (row: Row) => void,
    stops = () => false,
  ) => {
    const rows: { id: string; changed: number }[] = []
    const call = micros()
    for (let cursor = ''; ; ) {
      const page = await readPage(cursor ? { cursor } : query)
      for (const row of page.rows) {
        rows.push({ id: row.id, changed: row.changed ?? 0 })
        see(row)
      }
      cursor = page.next ?? ''
      if (!cursor) break
      if (stops()) return
      await pause(random.number(20))
    }
    const operation: Operation = {
      ...{ kind: 'list', key, client: 'reader', op, input: { delay: LIST_DELAY }, outcome: 'ok', rows },
      ...{ call, return: micros(), process: 'all', released: false },
    }
    history.push(operation)
  }
  const copy = new Map<string, Row>()
  let bookmark = 0
  /** Brings the copy up to date, or a part of the way. */
  const follow = (stops?: () => boolean) => {
    const since = String(bookmark)
    const see = (row: Row) => {
      copy.set(row.id, row)
      bookmark = Math.max(bookmark, row.changed ?? 0)
    }
    return walk('walk changes', { changed_since: since }, see, stops)
  }
  return {
    copy,
    walk: () => walk('walk', {}, () => undefined),
    followSome: () => follow(() => random.number(1) < 0.2),
    followAll: () => follow(),
  }
}
