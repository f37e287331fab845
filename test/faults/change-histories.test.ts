import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { forgetInstants, setClock } from '../../shared/clock.ts'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { scaleApplication } from '../../tools/applications/applications.ts'
import { type HandlerLoader, sourceHandlers } from '../../tools/local/server.ts'
import { aroundCalls, leaveCalls } from '../support/around-calls.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { delayedIndexes } from '../support/delayed-indexes.ts'
import { forward, pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/service.ts'

/**
 * A reader that follows `changed_since` misses no change.
 *
 * A history is 60 random steps of one application. In each, some time passes, and then a client writes or retries a failed
 * write, the reader reads a page or the rest of the changes, or it is stopped, and continues later from the greatest
 * `changed` that it has. Meanwhile, clocks are wrong by up to 2 s, writes are lost, done without a response or done up to
 * 304 s later, and indexes show them even later, as much as the hold-back allows. In the end, the reader's copy must equal
 * the list, which it does not if the hold-back is too short. On the way, no entity may come twice before the reader reaches
 * the end.
 */

/** Returns one of its arguments at random. fast-check reports the seed with which a history can be repeated. */
let choose: <T>(...values: readonly T[]) => T

/** From the instant of a write to its last attempt (4 s), and until DynamoDB refuses that attempt (300 s). */
const LATEST_ARRIVAL = 304_000
const CLOCK_ERRORS = [-2_000, -700, 0, 0, 900, 2_000]
/** The hold-back without the other delays that it allows for: a late write, from a clock behind, read by a clock ahead. */
const LONGEST_INDEX_DELAY = HOLD_BACK_SECONDS * 1_000 - LATEST_ARRIVAL - 2 * 2_000

/** The right time in milliseconds, which only `advance` lets pass. */
let time = Date.now()
const clockError = new AsyncLocalStorage<number>()
const withWrongClocks: HandlerLoader = async (deployable) => {
  const handler = await sourceHandlers(deployable)
  return (event, context) => clockError.run(choose(...CLOCK_ERRORS), () => handler(event, context))
}

serveForTests(undefined, withWrongClocks)
beforeAll(() => {
  Object.assign(process.env, { HOLD_BACK_SECONDS })
  // late-writes.test.ts is about the later attempts of a write.
  setBudget({ attempts: 1, backOff: 1, longestPause: 2 })
  setClock(() => {
    // Each request has a process of its own.
    forgetInstants()
    return time + (clockError.getStore() ?? 0)
  })
})
afterAll(() => setClock())

/** The writes that arrive later. */
let late: { readonly at: number; readonly arrive: () => Promise<unknown> }[] = []

/** Lets time pass. Writes arrive meanwhile. */
const advance = async (millis: number): Promise<void> => {
  const end = time + millis
  const arriving = late.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
  late = late.filter(({ at }) => at > end)
  for (const { at, arrive } of arriving) {
    time = at
    await arrive()
  }
  time = end
}

/** Returns the milliseconds until just before the next write arrives. */
const untilNextArrival = (): number =>
  late.length === 0 ? 0 : Math.max(0, Math.min(...late.map(({ at }) => at)) - time - 1)

type Put = { readonly Item?: { readonly sk: string } }

/** Returns the entities that a put or a transaction writes. */
const entitiesIn = ({ TransactItems, ...put }: Put & { TransactItems?: { readonly Put?: Put }[] }) => {
  const puts = TransactItems?.map(({ Put = {} }) => Put) ?? [put]
  return puts.flatMap(({ Item }) => (Item?.sk === 'ENTITY' ? [Item] : []))
}

/** Puts delayed indexes and a bad network between the handlers and the database. */
const disturb = (pageSize: number): void => {
  const delay = () => choose(0, 10, 1_000, LONGEST_INDEX_DELAY)
  const indexes = delayedIndexes({ now: () => time, delay, pageSize })
  aroundCalls(async ({ input }, proceed) => {
    if (input.IndexName) return indexes.query(input)
    const items = entitiesIn(input)
    if (items.length === 0) return proceed()
    const write = async () => {
      const output = await proceed()
      for (const item of items) indexes.record(item)
      return output
    }
    const fate = choose('is done', 'is done', 'gets no response', 'arrives late', 'arrives late', 'is lost')
    if (fate === 'is done') return write()
    if (fate === 'gets no response') await write().catch(() => undefined)
    if (fate === 'arrives late') {
      const at = time + choose(10, 60_000, LATEST_ARRIVAL, LATEST_ARRIVAL)
      late.push({ at, arrive: () => write().catch(() => undefined) })
    }
    throw Object.assign(new Error('The connection was lost'), { code: 'ECONNRESET' })
  })
}

interface Entity {
  readonly id: string
  readonly changed?: number
}

/** A reader that keeps a copy of a list. It can stop at any page and continue from the greatest `changed` that it has. */
const newReader = (client: Client, path: string) => {
  const copy = new Map<string, Entity>()
  let greatest = 0
  let since = 0
  let cursor: string | null = null
  let seen = new Set<string>()
  /** Reads one page. Returns whether it is the last. */
  const readPage = async (): Promise<boolean> => {
    if (!cursor) seen = new Set()
    const limit = choose(1, 2, 5, 100)
    const page = await pageAt(client, path, { changed_since: since, limit, ...(cursor ? { cursor } : {}) })
    if (page.more) expect(page.items).not.toEqual([])
    for (const { changed = 0, ...entity } of page.items as Entity[]) {
      expect(changed).toBeGreaterThanOrEqual(greatest)
      expect(seen).not.toContain(entity.id)
      seen.add(entity.id)
      greatest = changed
      copy.set(entity.id, entity)
    }
    cursor = page.next
    if (!cursor) since = greatest
    return !cursor
  }
  const readAll = async (): Promise<void> => {
    while (!(await readPage()));
  }
  const restart = (): void => {
    since = greatest
    cursor = null
  }
  return { copy, readPage, readAll, restart }
}

/** A client that writes, and retries what failed. */
const newWriter = (client: Client) => {
  const failed: (() => Promise<void>)[] = []
  const send = async (call: () => Promise<ApiResponse>): Promise<void> => {
    const { status } = await call()
    if (status !== 200) failed.push(() => send(call))
  }
  const retry = async () => failed.shift()?.()
  const ids = ['me']
  let number = 0
  const newName = () => `v${number++}`
  const create = () => {
    const body = customerBody({ name: newName() })
    ids.push(body.id)
    return send(() => client.post('/api/customers', body))
  }
  const update = () => {
    const body = { id: choose(...ids), name: newName() }
    return send(() => client.put(`/api/customers/${body.id}`, body))
  }
  const erase = () => {
    const id = choose(...ids)
    return send(() => client.put(`/api/customers/${id}`))
  }
  const bill = () => {
    const period_end = `2024-0${choose(2, 3, 4, 5, 6)}-01`
    const body = invoiceBody({ customer_id: 'me', subscription_id: choose('s', 't', 'u'), period_end })
    return send(() => client.post('/api/invoices', body))
  }
  return { create, update, erase, bill, retry }
}

/** Carries out a history. Returns the reader's copy and the entities of the list in the end. */
const runHistory = async (list: string, pageSize: number) => {
  const client = await newClient()
  const path = `/api/${list}`
  disturb(pageSize)
  // The network may lose the first requests.
  while ((await client.post('/api/customers', customerBody({ id: 'me' }))).status !== 200);
  const { copy, ...reader } = newReader(client, path)
  const addShards = () =>
    scaleApplication(client.credentials.app_id, choose(2, 3), advance).catch(() => undefined)
  const steps = { ...newWriter(client), ...reader, addShards }
  const writes: (keyof typeof steps)[] =
    list === 'customers'
      ? ['create', 'update', 'update', 'erase', 'retry']
      : ['bill', 'bill', 'bill', 'retry']
  const reads = ['readPage', 'readPage', 'readAll', 'readAll', 'restart'] as const
  for (const _ of upTo(60)) {
    const soon = untilNextArrival()
    await advance(choose(0, 0, 1, 400, 1_500, 20_000, 100_000, soon, soon))
    await steps[choose<keyof typeof steps>(...writes, ...reads, choose('addShards', 'readPage'))]()
  }
  await advance(2 * LATEST_ARRIVAL + HOLD_BACK_SECONDS * 1_000)
  // The first call completes the reading in progress, and the second reads what has changed since.
  await reader.readAll()
  await reader.readAll()
  const pages = await forward(client, path)
  leaveCalls()
  return { copy, stored: new Map(pages.flatMap(({ items }) => items).map((entity) => [entity.id, entity])) }
}

it('a reader of changed_since that stops and resumes gets every change, whatever is late, lost or retried', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (random) => {
      choose = (...values) => random(fc.constantFrom, ...values) as never
      const list = choose('customers', 'customers', 'subscriptions', 'invoices')
      const { copy, stored } = await runHistory(list, choose(100, 100, 1, 3))
      expect(copy).toEqual(stored)
    }),
    { numRuns: runs(4, 1_000), endOnFailure: true },
  )
})
