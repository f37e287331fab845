import fc from 'fast-check'
import { setClock } from '../../support/clock.ts'
import { scaleAtOnce } from '../../support/database/scaling.ts'
import { range } from '../../support/range.ts'
import { priceBody, productBody } from '../../support/requests/bodies.ts'
import { type ListPage, readPage } from '../../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { runs } from '../../support/runs.ts'

serveForTests()
afterAll(() => setClock())

/** How often each kind of step occurs. */
const weights = { write: 4, next: 5, previous: 3, first: 2, grow: 1 }

interface Step {
  readonly kind: string
  /** The number of entities to write. */
  readonly count: number
  /** The limit of the page to read. */
  readonly limit: number
  /** The number of shards to grow to. */
  readonly shards: number
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...Object.entries(weights).flatMap(([kind, times]) => Array<string>(times).fill(kind)),
  ),
  count: fc.integer({ min: 1, max: 4 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(7, 99, 100)),
  shards: fc.constantFrom(2, 3, 3, 8, 8, runs(16, 64)),
})
const steps = fc.array(step, { minLength: 2, maxLength: 12 })

/** A list for a walk, and its ids, newest first. */
interface Walked {
  readonly client: Client
  /** Creates another entity of the list. Returns its id. */
  readonly record: (number: number) => Promise<string>
  readonly ids: string[]
  shards: number
}

/** Starts a walk through the prices of a product. */
const open = async (): Promise<Walked> => {
  const client = await newClient()
  const [product_id, other] = ['p', 'other']
  for (const id of [product_id, other]) await client.create('/api/products', productBody({ id }))
  const record = async (number: number) => {
    if (number % 3 === 0) await client.create('/api/prices', priceBody({ product_id: other }))
    return (await client.create('/api/prices', priceBody({ product_id }))).id
  }
  return { client, record, ids: [], shards: 1 }
}

/** Returns the expected page: the requested part of the list, newest first. */
const expectPage = (page: ListPage, { ids }: Walked, from: number, to: number): void => {
  expect(page.ids).toEqual(ids.slice(from, to))
  expect(page.previous !== null).toEqual(from > 0)
  expect(page.hasMore).toEqual(to < ids.length)
}

/** Executes the steps on a list and on an array, and compares them after each step. */
const walk = async (walked: Walked, plan: readonly Step[]): Promise<void> => {
  const { client, ids } = walked
  const get = (query: object) => readPage(client, '/api/prices', { product_id: 'p', ...query })
  let here = await get({ limit: 1 })
  expectPage(here, walked, 0, Math.min(1, ids.length))
  for (const step of plan) {
    if (step.kind === 'write') {
      for (const _ of range(step.count)) ids.unshift(await walked.record(ids.length))
    } else if (step.kind === 'grow') {
      walked.shards = Math.max(walked.shards, step.shards)
      await scaleAtOnce(client, walked.shards)
    } else if (step.kind === 'next' && here.next) {
      const from = ids.indexOf(here.ids.at(-1)!) + 1
      here = await get({ limit: step.limit, cursor: here.next })
      expectPage(here, walked, from, Math.min(from + step.limit, ids.length))
    } else if (step.kind === 'previous' && here.previous) {
      const to = ids.indexOf(here.ids[0]!)
      here = await get({ limit: step.limit, cursor: here.previous })
      expectPage(here, walked, Math.max(0, to - step.limit), to)
    } else {
      here = await get({ limit: step.limit })
      expectPage(here, walked, 0, Math.min(step.limit, ids.length))
    }
  }
}

it('pages through a filtered list as through a sorted array, with writes and growth between the pages', async () => {
  // A list serves several walks, so that they meet lists of every length and every number of shards.
  let [walked, walks] = [await open(), 0]
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      walks += 1
      if (walks % runs(5, 15) === 0) walked = await open()
      await walk(walked, plan)
    }),
    { numRuns: runs(15, 10_000), endOnFailure: true },
  )
})
