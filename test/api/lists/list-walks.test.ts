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

type StepKind = 'write' | 'next page' | 'previous page' | 'first page' | 'scale'

/** Relative to the others. */
const weights: Readonly<Record<StepKind, number>> = {
  write: 4,
  'next page': 5,
  'previous page': 3,
  'first page': 2,
  scale: 1,
}

interface Step {
  readonly kind: StepKind
  readonly count: number
  readonly limit: number
  readonly shards: number
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as StepKind),
    })),
  ),
  count: fc.integer({ min: 1, max: 4 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(7, 99, 100)),
  shards: fc.constantFrom(2, 3, 3, 8, 8, runs(16, 64)),
})
const steps = fc.array(step, { minLength: 2, maxLength: 12 })

/** The list of the prices of a product, in an application that has prices of another product too. */
interface WalkedList {
  readonly client: Client
  /** Newest first. */
  readonly ids: string[]
  shards: number
}

const newList = async (): Promise<WalkedList> => {
  const client = await newClient()
  for (const id of ['listed', 'other']) await client.create('/api/products', productBody({ id }))
  return { client, ids: [], shards: 1 }
}

/** Before every third one, creates a price of the other product. */
const recordPrice = async ({ client, ids }: WalkedList): Promise<void> => {
  if (ids.length % 3 === 0) await client.create('/api/prices', priceBody({ product_id: 'other' }))
  const { id } = await client.create('/api/prices', priceBody({ product_id: 'listed' }))
  ids.unshift(id)
}

const expectPage = (page: ListPage, { ids }: WalkedList, from: number, to: number): void => {
  const { ids: shown, hasMore, previous } = page
  expect({ ids: shown, hasPrevious: previous !== null, hasMore }).toEqual({
    ids: ids.slice(from, to),
    hasPrevious: from > 0,
    hasMore: to < ids.length,
  })
}

/** On a list and on an array of its ids, which every page must equal. */
const walk = async (list: WalkedList, plan: readonly Step[]): Promise<void> => {
  const { client, ids } = list
  const read = (query: object) => readPage(client, '/api/prices', { product_id: 'listed', ...query })
  let page = await read({ limit: 1 })
  expectPage(page, list, 0, Math.min(1, ids.length))
  for (const { kind, count, limit, shards } of plan) {
    if (kind === 'write') {
      for (const _ of range(count)) await recordPrice(list)
    } else if (kind === 'scale') {
      list.shards = Math.max(list.shards, shards)
      await scaleAtOnce(client, list.shards)
    } else if (kind === 'next page' && page.next) {
      const from = ids.indexOf(page.ids.at(-1)!) + 1
      page = await read({ limit, cursor: page.next })
      expectPage(page, list, from, Math.min(from + limit, ids.length))
    } else if (kind === 'previous page' && page.previous) {
      const to = ids.indexOf(page.ids[0]!)
      page = await read({ limit, cursor: page.previous })
      expectPage(page, list, Math.max(0, to - limit), to)
    } else {
      page = await read({ limit })
      expectPage(page, list, 0, Math.min(limit, ids.length))
    }
  }
}

it('pages through a filtered list as through a sorted array, while entities are recorded and the list is scaled', async () => {
  // A list serves several walks, so that they begin at lists of every length and with every number of shards.
  const walksPerList = runs(5, 15)
  let list = await newList()
  let walks = 0
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      walks += 1
      if (walks % walksPerList === 0) list = await newList()
      await walk(list, plan)
    }),
    { numRuns: runs(15, 10_000), endOnFailure: true },
  )
})
