import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { forgetInstants, setClock } from '../../shared/clock.ts'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { scaleApplication } from '../../tools/applications/applications.ts'
import { type HandlerLoader, sourceHandlers } from '../../tools/local/server.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { delayedIndexes } from '../support/delayed-indexes.ts'
import { pass, serveWithFaults, type WireFault } from '../support/fault-proxy.ts'
import { forward, pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type ApiResponse, type Client, newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

/** Returns one of its arguments. */
type Pick = <T>(...values: readonly T[]) => T
/** Picks for the history under way. */
let picking: Pick = (...values) => values[0]!
const pick: Pick = (...values) => picking(...values)

/** The longest way of a write, from its instant to its last signature and until DynamoDB refuses that, in milliseconds. */
const LONGEST_WAY = 304_000
/** The milliseconds by which the clock of a process may be ahead of the right time. */
const CLOCKS = [-2_000, -700, 0, 0, 900, 2_000]
/** What the hold-back leaves for the delay of an index: it reaches back from a clock ahead to an instant of one behind. */
const LONGEST_DELAY = HOLD_BACK_SECONDS * 1_000 - LONGEST_WAY - 2 * 2_000

/** The time, which stands still until a network advances it. Each request is handled by a process with a clock of its own. */
let time = Date.now()
const ahead = new AsyncLocalStorage<number>()
const onProcesses: HandlerLoader = async (deployable) => {
  const handler = await sourceHandlers(deployable)
  return (event, context) => ahead.run(pick(...CLOCKS), () => handler(event, context))
}

const proxy = serveWithFaults(onProcesses)
beforeAll(() => {
  Object.assign(process.env, { HOLD_BACK_SECONDS })
  // What an attempt of a write meets here is the same for later ones, which late-writes.test.ts is about.
  setBudget({ attempts: 1, backOff: 1, longestPause: 2 })
  setClock(() => {
    // Processes do not share their last instants.
    forgetInstants()
    return time + (ahead.getStore() ?? 0)
  })
})
afterAll(() => setClock())

/** Writes on their way, which arrive when the time has advanced to theirs. */
const newRoad = () => {
  const held: { readonly at: number; readonly arrive: () => Promise<unknown> }[] = []
  return {
    hold: (at: number, arrive: () => Promise<unknown>) => void held.push({ at, arrive }),
    /** The milliseconds until just before the next one arrives. */
    untilNext: (): number => Math.max(0, Math.min(...held.map(({ at }) => at), time + 1) - time - 1),
    /** Lets the time pass. What is on its way arrives meanwhile. */
    advance: async (millis: number): Promise<void> => {
      const end = time + millis
      for (;;) {
        const [next] = held.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (!next) break
        held.splice(held.indexOf(next), 1)
        time = Math.max(time, next.at)
        await next.arrive()
      }
      time = end
    },
  }
}

/**
 * A network that loses writes and responses, and holds writes back for as long as DynamoDB may accept them, in front of
 * indexes that lag. A response of an index has at most `most` entries.
 */
const slowNetwork = (most: number) => {
  const delay = () => pick(0, 10, 1_000, LONGEST_DELAY)
  const indexes = delayedIndexes({ most, now: () => time, delay })
  const { hold, ...road } = newRoad()
  const write: WireFault = async (call) => {
    const fate = pick('passes', 'passes', 'loses its response', 'arrives later', 'arrives later')
    if (fate === 'arrives later')
      hold(time + pick(10, 60_000, LONGEST_WAY, LONGEST_WAY), () => indexes.land(call))
    else {
      const { status, headers, body } = await indexes.land(call)
      if (fate === 'passes') return void call.response.writeHead(status, headers).end(body)
    }
    return wireFault('reset before commit')(call)
  }
  const fault: WireFault = (call) => {
    if (indexes.isQuery(call)) return indexes.query(call)
    return indexes.isWrite(call) ? write(call) : pass(call)
  }
  return { fault, ...road, stop: indexes.stop }
}

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
  const failed: (() => Promise<void>)[] = []
  const start = async (call: () => Promise<ApiResponse>): Promise<void> => {
    const { status } = await call()
    if (status !== 200) failed.push(() => start(call))
  }
  let number = 0
  const create = () => {
    const body = customerBody({ name: `v${number++}` })
    customers.push(body.id)
    return start(() => client.post('/api/customers', body))
  }
  const update = (id = pick(...customers), name = `v${number++}`) =>
    start(() => client.put(`/api/customers/${id}`, { id, name }))
  const erase = (id = pick(...customers)) => start(() => client.put(`/api/customers/${id}`))
  const bill = () => {
    const period_end = `2024-0${pick(2, 3, 4, 5, 6)}-01`
    const body = invoiceBody({ customer_id: 'me', subscription_id: pick('s', 't', 'u'), period_end })
    return start(() => client.post('/api/invoices', body))
  }
  const retry = async () => failed.shift()?.()
  return { create, customers: [create, update, update, erase, retry], bills: [bill, bill, bill, retry] }
}

/** Lets an application write and a reader keep a copy of a list. Returns the copy and the list in the end. */
const runHistory = async (list: string, most: number) => {
  const client = await newClient()
  const { app_id } = client.credentials
  await client.create('/api/customers', customerBody({ id: 'me' }))
  const network = slowNetwork(most)
  proxy.inject(app_id, { label: '*', fault: network.fault, calls: Number.POSITIVE_INFINITY })
  const path = `/api/${list}`
  const { copy, poll, finish, resume } = newCopy(client, path, most === 100)
  const writes = newWrites(client)
  await writes.create()
  const grow = () => scaleApplication(app_id, pick(2, 3), network.advance).catch(() => undefined)
  const write = list === 'customers' ? writes.customers : writes.bills
  for (const _ of upTo(60)) {
    const soon = network.untilNext()
    await network.advance(pick(0, 0, 1, 400, 1_500, 20_000, 100_000, soon, soon))
    await pick<() => unknown>(...write, poll, poll, finish, finish, resume, pick<() => unknown>(grow, poll))()
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
        expect(copy).toEqual(stored)
      }),
      { numRuns: runs(4, 1_000), endOnFailure: true },
    )
  })
})
