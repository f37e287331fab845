import fc from 'fast-check'
import { customer } from '../../../shared/resources/customer.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
import { createApplication, scaleApplication } from '../../../tools/applications/applications.ts'
import { newIdentity } from '../../../tools/applications/items.ts'
import { listPages } from '../../../tools/operator/list-pages.ts'
import { advanceClock, setClock } from '../../support/clock.ts'
import { type DatabaseCall, databaseCallsOf } from '../../support/database/database-calls.ts'
import { passThrough, serveWithFaults } from '../../support/database/fault-proxy.ts'
import { scaleAtOnce } from '../../support/database/scaling.ts'
import { wireFault } from '../../support/database/wire-faults.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { range } from '../../support/range.ts'
import { customerBody } from '../../support/requests/bodies.ts'
import { readPages } from '../../support/requests/list-pages.ts'
import { type Client, clientOf, newClient } from '../../support/requests/service.ts'
import { runs } from '../../support/runs.ts'

const proxy = serveWithFaults()
afterAll(() => setClock())

const unitsOf = (calls: readonly DatabaseCall[]): number => calls.reduce((sum, { units }) => sum + units, 0)

const PAGES = runs(1, 4)

/** Records customers of an application with this id, and reads full pages of 100. */
const measure = async (app_id: string, shards: number) => {
  const client = clientOf(await createApplication('Fixed', { identity: { ...newIdentity(), app_id } }))
  await scaleAtOnce(client, shards)
  const create = () => client.create('/api/customers', customerBody())
  await inParallel(range(PAGES * 100), create)
  const creates = await databaseCallsOf(create)
  const pages: DatabaseCall[][] = []
  for (let cursor = ''; pages.length < PAGES; ) {
    const calls = await databaseCallsOf(async () => {
      const { json } = await client.get(`/api/customers?limit=100&cursor=${cursor}`)
      cursor = json.pagination.next_cursor
    })
    pages.push(calls)
  }
  const twenty = await databaseCallsOf(() => client.get('/api/customers?limit=20'))
  return { creates, pages, twenty }
}

// An application's id decides which entity goes to which shard; fixed ones give runs similar figures.
it('charges in eight shards no more for a create, and less than 2.2 times the units for a page of 100, in two rounds', async () => {
  const one = await measure('app_onecustomers', 1)
  const eight = await measure('app_eightcustomers', 8)
  const created = ({ creates }: typeof one) => [creates.map(({ command }) => command), unitsOf(creates)]
  expect(created(eight)).toEqual(created(one))
  expect(unitsOf(eight.pages.flat()) / unitsOf(one.pages.flat())).toBeLessThan(2.2)
  expect(one.pages.map(({ length }) => length)).toEqual(Array(PAGES).fill(1))
  expect(unitsOf(eight.twenty)).toBe(4)
  expect(eight.twenty.length).toBe(8)
  for (const calls of eight.pages) {
    const queried = Map.groupBy(calls, ({ input }) => input.ExpressionAttributeValues[':list'])
    expect(queried.size).toBe(8)
    for (const { length } of queried.values()) expect(length).toBeLessThanOrEqual(2)
  }
})

// model.test.ts shows that entities in older shards are changed, replayed and derived in place.
it('distributes new entities of a list over all of its shards', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody())
  await scaleAtOnce(client, 64)
  const calls = await databaseCallsOf(() =>
    inParallel(range(100), () => client.create('/api/customers', customerBody())),
  )
  expect(new Set(calls.map(({ input }) => input.Item?.list)).size).toBeGreaterThan(40)
  const ids = (await readPages(client, '/api/customers', { limit: 100 })).flatMap((page) => page.ids)
  expect(ids.length).toBe(101)
  expect(new Set(ids).size).toBe(101)
})

it('exports all entities, including those recorded meanwhile, while the application is scaled', async () => {
  const client = await newClient()
  const record = async (count: number) => {
    const ids: string[] = []
    for (const _ of range(count)) ids.push((await client.create('/api/customers', customerBody())).id)
    return ids
  }
  const recorded = await record(6)
  const walked: string[] = []
  for await (const ids of listPages({ app: client.credentials.app_id, resource: customer }, { limit: 3 })) {
    if (walked.length === 0) {
      await scaleAtOnce(client, 8)
      recorded.push(...(await record(20)))
    }
    walked.push(...ids)
  }
  expect(walked).toEqual(recorded)
})

const rounds = fc.array(
  fc.record({
    shards: fc.constantFrom(2, 3, 5, 8),
    /** Which write of the command fails for good: the first is 1; 0 for none. */
    failsAt: fc.constantFrom(0, 0, 1, 2, 3, 4),
    /** Whether the old process lists, and so looks its key up, before the application is scaled. */
    looksUp: fc.boolean(),
    /** When clients record and list, in seconds since the beginning of the command's wait. */
    moments: fc.uniqueArray(fc.constantFrom(0, 20, 45, 59, 61, 89, 90, 91, 110, 135, 151), { maxLength: 3 }),
  }),
  { minLength: 2, maxLength: 4, size: 'max' },
)

/** Scales an application, or lets one of the command's writes fail for good. */
const scale = async (
  app: string,
  { shards, failsAt }: { shards: number; failsAt: number },
  wait: (millis: number) => Promise<void>,
): Promise<void> => {
  let writes = 0
  const inject = () =>
    proxy.inject(app, {
      label: '*',
      calls: Number.POSITIVE_INFINITY,
      fault: (call) => {
        if (/PutItem|Transact/.test(String(call.request.headers['x-amz-target']))) writes += 1
        return writes === failsAt ? wireFault('access denied')(call) : passThrough(call)
      },
    })
  inject()
  const waitWithoutFaults = async (millis: number) => {
    proxy.heal(app)
    await wait(millis)
    inject()
  }
  // The command refuses fewer shards, too.
  await scaleApplication(app, shards, waitWithoutFaults).catch(() => undefined)
  proxy.heal(app)
}

it('lists every acknowledged entity while processes use different numbers of shards, even if scaling is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      // A process caches an application under each key, so that a new key stands for a new process.
      const old = await newClient()
      const { app_id } = old.credentials
      const recorded: string[] = []
      const expectListed = async (client: Client) => {
        const pages = await readPages(client, '/api/products', { limit: 100 })
        expect(pages.flatMap(({ ids }) => ids)).toEqual(recorded)
      }
      const recordAndList = async () => {
        const started = clientOf(await addApiKey(app_id))
        for (const client of [started, started, started, old]) {
          const body = { id: `p${recorded.length}`, name: 'x' }
          recorded.unshift((await client.create('/api/products', body)).id)
        }
        for (const client of [old, started]) await expectListed(client)
      }
      for (const { looksUp, moments, ...round } of plan) {
        if (looksUp) await expectListed(old)
        let second = 0
        const passTo = async (last: number) => {
          for (const moment of moments.filter((each) => each >= second && each <= last)) {
            advanceClock((moment - second) * 1_000)
            second = moment
            await recordAndList()
          }
          advanceClock((last - second) * 1_000)
          second = last
        }
        moments.sort((a, b) => a - b)
        await scale(app_id, round, (millis) => passTo(millis / 1_000))
        await passTo(180)
      }
    }),
    { numRuns: runs(6, 1_000), endOnFailure: true },
  )
})
