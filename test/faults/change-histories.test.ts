import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { setClock } from '../../shared/clock.ts'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { scaleApplication } from '../../tools/applications/applications.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { serveWithFaults } from '../support/fault-proxy.ts'
import { forward, pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type ApiResponse, type Client, newClient } from '../support/service.ts'
import { LONGEST_WAY, onProcesses, type Pick, slowNetwork, stopTime } from '../support/slow-network.ts'

/** Picks as the history under way says. */
let picking: Pick = (...values) => values[0]!
const pick: Pick = (...values) => picking(...values)

const proxy = serveWithFaults(onProcesses(pick))
beforeAll(() => {
  Object.assign(process.env, { HOLD_BACK_SECONDS })
  setBudget({ backOff: 1, longestPause: 2 })
  stopTime()
})
afterAll(() => setClock())

interface Entity {
  readonly id: string
  readonly changed?: number
}

/** A walk through what changed: its start, the page reached, the greatest `changed` and the entities so far. */
interface Walk {
  readonly since: number
  cursor: string | null
  last: number
  readonly ids: Set<string>
}

/** A copy of a list that is kept in sync page by page, with the greatest `changed` that it has as the bookmark. */
const newCopy = (client: Client, path: string, once: boolean) => {
  const copy = new Map<string, Entity>()
  let bookmark = 0
  let walk: Walk | undefined
  /** Reads a page. Returns whether the walk has ended. */
  const poll = async (): Promise<boolean> => {
    walk ??= { since: bookmark, cursor: null, last: bookmark, ids: new Set() }
    const { since, cursor, ids } = walk
    const again = cursor === null || pick(true, false) ? { changed_since: since } : {}
    const page = await pageAt(client, path, { ...again, cursor, limit: pick(1, 2, 5, 100) })
    if (page.more) expect(page.items).not.toEqual([])
    for (const { changed = 0, ...entity } of page.items as Entity[]) {
      expect(changed).toBeGreaterThanOrEqual(walk.last)
      if (once) expect(ids).not.toContain(entity.id)
      ids.add(entity.id)
      copy.set(entity.id, entity)
      walk.last = changed
      bookmark = Math.max(bookmark, changed)
    }
    walk.cursor = page.next
    if (page.next === null) walk = undefined
    return page.next === null
  }
  const finish = async (): Promise<void> => {
    while (!(await poll()));
  }
  const resume = (): void => {
    walk = undefined
  }
  return { copy, poll, finish, resume }
}

/** Writes of an application, and retries of those that failed. */
const newWrites = (client: Client) => {
  const customers: string[] = []
  const failed: (() => void)[] = []
  const pending = new Set<Promise<void>>()
  const start = (call: () => Promise<ApiResponse>): void => {
    const request = call().then(({ status }) => {
      if (status !== 200) failed.push(() => start(call))
    })
    pending.add(request)
    request.finally(() => pending.delete(request))
  }
  let number = 0
  const create = (): void => {
    const body = customerBody({ name: `v${number++}` })
    customers.push(body.id)
    start(() => client.post('/api/customers', body))
  }
  const update = (id = pick(...customers), name = `v${number++}`): void =>
    start(() => client.put(`/api/customers/${id}`, { id, name }))
  const erase = (id = pick(...customers)): void => start(() => client.put(`/api/customers/${id}`))
  const bill = (): void => {
    const period_end = `2024-0${pick(2, 3, 4, 5, 6)}-01`
    const body = invoiceBody({ customer_id: 'me', subscription_id: pick('s', 't', 'u'), period_end })
    start(() => client.post('/api/invoices', body))
  }
  const retry = (): void => failed.shift()?.()
  create()
  return { customers: [create, update, update, erase, retry], bills: [bill, bill, bill, retry], pending }
}

/** Lets an application write and a reader keep a copy of a list. Returns the copy and the list in the end. */
const runHistory = async (list: string, most: number) => {
  const client = await newClient()
  const { app_id } = client.credentials
  await client.create('/api/customers', customerBody({ id: 'me' }))
  const network = slowNetwork(pick, most)
  proxy.inject(app_id, { label: '*', fault: network.fault, calls: Number.POSITIVE_INFINITY })
  const path = `/api/${list}`
  const { copy, poll, finish, resume } = newCopy(client, path, most === 100)
  const { pending, ...writes } = newWrites(client)
  const grow = () => scaleApplication(app_id, pick(2, 3), network.advance).catch(() => undefined)
  const write = list === 'customers' ? writes.customers : writes.bills
  for (const _ of upTo(40)) {
    await network.advance(pick(0, 0, 1, 400, 1_500, 20_000, 100_000, network.untilNext()))
    await pick<() => unknown>(...write, poll, poll, finish, resume, pick<() => unknown>(grow, poll))()
    while (pending.size > network.waiting()) await pause(1)
  }
  while (pending.size > 0) {
    await network.advance(LONGEST_WAY)
    await pause(1)
  }
  await network.advance(2 * LONGEST_WAY + HOLD_BACK_SECONDS * 1_000)
  await finish()
  resume()
  await finish()
  const stored = (await forward(client, path)).flatMap(({ items }) => items as Entity[])
  proxy.heal(app_id)
  network.stop()
  return { copy, stored: new Map(stored.map((entity) => [entity.id, entity])) }
}

describe('while writes are held back, lost and retried, indexes lag, clocks differ and a reader stops and resumes', () => {
  it('its copy of a list gets every change, by the greatest second that it has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (random) => {
        picking = (...values) => random(fc.constantFrom, ...values) as never
        const { copy, stored } = await runHistory(
          pick('customers', 'customers', 'subscriptions', 'invoices'),
          pick(100, 100, 1, 3),
        )
        expect(stored.size).toBeGreaterThan(0)
        expect(copy).toEqual(stored)
      }),
      { numRuns: runs(4, 1_000), endOnFailure: true },
    )
  })
})
