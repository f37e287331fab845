import { forgetApplications } from '../../shared/store/authorisation.ts'
import { documents } from '../../shared/store/aws/client.ts'
import { MOST_QUERIES } from '../../shared/store/query.ts'
import { scaleApplication } from '../../tools/applications/applications.ts'
import { priceBody, productBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { metered } from '../support/meter.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()
// A busy machine needs longer for so many queries.
setBudget({ request: 20_000 })

const SHARDS = 64

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'it' }))
  await client.create('/api/prices', priceBody({ product_id: 'it' }))
})

/** Lets lists read all shards, and creates too, unless `wait` throws. */
const grow = async (wait: () => Promise<void>): Promise<void> => {
  await scaleApplication(client.credentials.app_id, SHARDS, wait).catch(() => undefined)
  forgetApplications()
}

describe.each<[string, () => Promise<void>]>([
  [
    'while an application grows, before creates use the new shards',
    () => Promise.reject(new Error('stopped')),
  ],
  ['after it has grown', () => Promise.resolve()],
])('%s', (_, wait) => {
  beforeAll(() => grow(wait))

  it.each([
    ['/api/products', 1],
    ['/api/prices?product_id=it', 1],
    ['/api/products?include=prices', 2],
  ])('%s reads every shard of each list', async (path, lists) => {
    const calls = await metered(() => client.get(path))
    const read = calls.flatMap(({ input }) => input.ExpressionAttributeValues?.[':list'] ?? [])
    expect(new Set(read).size).toBe(lists * SHARDS)
  })
})

describe('the queries of a process', () => {
  let [underWay, most] = [0, 0]
  beforeAll(async () => {
    await grow(() => Promise.resolve())
    documents().middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'QueryCommand') return next(args)
          underWay += 1
          most = Math.max(most, underWay)
          try {
            return await next(args)
          } finally {
            underWay -= 1
          }
        },
      { step: 'initialize' },
    )
  })

  it(`are at most ${MOST_QUERIES} at once, however many pages it reads`, async () => {
    const responses = await inParallel(upTo(3), () => client.get('/api/products'))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([most, underWay]).toEqual([MOST_QUERIES, 0])
  })

  it('release their place if they fail', async () => {
    const table = process.env.TABLE_NAME
    process.env.TABLE_NAME = 'missing'
    expect((await client.get('/api/products')).status).toBe(500)
    process.env.TABLE_NAME = table
    most = 0
    expect((await client.get('/api/products')).status).toBe(200)
    expect([most, underWay]).toEqual([MOST_QUERIES, 0])
  })
})
