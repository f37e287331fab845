import fc from 'fast-check'
import { customer } from '../../../shared/resources/customer.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
import { createApplication, scaleApplication } from '../../../tools/applications/applications.ts'
import { newIdentity } from '../../../tools/applications/items.ts'
import { listPages } from '../../../tools/operator/list-pages.ts'
import { advanceClock, setClock } from '../../support/clock.ts'
import { type DatabaseCall, databaseCallsOf, totalUnits } from '../../support/database/database-calls.ts'
import { passThrough, serveWithFaults } from '../../support/database/fault-proxy.ts'
import { scaleAtOnce } from '../../support/database/scaling.ts'
import { wireFault } from '../../support/database/wire-faults.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { range } from '../../support/range.ts'
import { customerBody } from '../../support/requests/bodies.ts'
import { readList } from '../../support/requests/list-pages.ts'
import { type Client, clientOf, newClient } from '../../support/requests/service.ts'
import { runs } from '../../support/runs.ts'

const proxy = serveWithFaults()
afterAll(() => setClock())

const PAGES = runs(1, 4)

/** Of a create, of full pages of 100 and of a page of 20. */
const measure = async (app_id: string, shards: number) => {
  const client = clientOf(await createApplication('Fixed', { identity: { ...newIdentity(), app_id } }))
  await scaleAtOnce(client, shards)
  const create = () => client.create('/api/customers', customerBody())
  await inParallel(range(PAGES * 100), create)
  const createCalls = await databaseCallsOf(create)
  const pageCalls: DatabaseCall[][] = []
  let cursor = ''
  while (pageCalls.length < PAGES) {
    const calls = await databaseCallsOf(async () => {
      const { json } = await client.get(`/api/customers?limit=100&cursor=${cursor}`)
      cursor = json.pagination.next_cursor
    })
    pageCalls.push(calls)
  }
  const smallPageCalls = await databaseCallsOf(() => client.get('/api/customers?limit=20'))
  return { createCalls, pageCalls, smallPageCalls }
}

// The id of an application decides which entity goes to which shard. Fixed ids make the figures of runs
// similar.
it('takes in eight shards the same units for a create, and less than 2.2 times the units for a page of 100', async () => {
  const one = await measure('app_onecustomers', 1)
  const eight = await measure('app_eightcustomers', 8)
  const commandsOf = ({ createCalls }: typeof one) => createCalls.map(({ command }) => command)
  expect(commandsOf(eight)).toEqual(commandsOf(one))
  expect(totalUnits(eight.createCalls)).toBe(totalUnits(one.createCalls))
  expect(totalUnits(eight.pageCalls.flat()) / totalUnits(one.pageCalls.flat())).toBeLessThan(2.2)
  expect(totalUnits(eight.smallPageCalls)).toBe(4)
  // A small page needs one query of each shard, and a large page at most two.
  for (const calls of one.pageCalls) expect(calls).toHaveLength(1)
  expect(eight.smallPageCalls).toHaveLength(8)
  for (const calls of eight.pageCalls) {
    const queried = Map.groupBy(calls, ({ input }) => input.ExpressionAttributeValues[':list'])
    expect(queried.size).toBe(8)
    for (const { length } of queried.values()) expect(length).toBeLessThanOrEqual(2)
  }
})

it('distributes new entities of a list over all of its shards', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody())
  await scaleAtOnce(client, 64)
  const calls = await databaseCallsOf(() =>
    inParallel(range(100), () => client.create('/api/customers', customerBody())),
  )
  expect(new Set(calls.map(({ input }) => input.Item?.list)).size).toBeGreaterThan(40)
  const listed = await readList(client, '/api/customers', { limit: 100 })
  expect(listed).toHaveLength(101)
  expect(new Set(listed.map(({ id }) => id)).size).toBe(101)
})

it('exports all entities, including entities recorded meanwhile, while the application is scaled', async () => {
  const client = await newClient()
  const record = async (count: number) => {
    const ids: string[] = []
    for (const _ of range(count)) ids.push((await client.create('/api/customers', customerBody())).id)
    return ids
  }
  const recorded = await record(6)
  const exported: string[] = []
  for await (const ids of listPages({ app: client.credentials.app_id, resource: customer }, { limit: 3 })) {
    if (exported.length === 0) {
      await scaleAtOnce(client, 8)
      recorded.push(...(await record(20)))
    }
    exported.push(...ids)
  }
  expect(exported).toEqual(recorded)
})

const rounds = fc.array(
  fc.record({
    shards: fc.constantFrom(2, 3, 5, 8),
    /** The first write of the command is 1; 0 means that no write fails. It is not retried. */
    failingWrite: fc.constantFrom(0, 0, 1, 2, 3, 4),
    /** Reading caches the old process's key before the application is scaled. */
    cachesKey: fc.boolean(),
    /** Seconds since the beginning of the command's wait. */
    moments: fc.uniqueArray(fc.constantFrom(0, 20, 45, 59, 61, 89, 90, 91, 110, 135, 151), { maxLength: 3 }),
  }),
  { minLength: 2, maxLength: 4, size: 'max' },
)

/** `failingWrite` is as below. */
const scale = async (
  app: string,
  { shards, failingWrite }: { shards: number; failingWrite: number },
  wait: (millis: number) => Promise<void>,
): Promise<void> => {
  let writes = 0
  const injectFault = () =>
    proxy.inject(app, {
      label: '*',
      calls: Number.POSITIVE_INFINITY,
      fault: (call) => {
        if (/PutItem|Transact/.test(String(call.request.headers['x-amz-target']))) writes += 1
        return writes === failingWrite ? wireFault('access denied')(call) : passThrough(call)
      },
    })
  injectFault()
  const waitWithoutFaults = async (millis: number) => {
    proxy.heal(app)
    await wait(millis)
    injectFault()
  }
  // The command fails if its write does, and if the application already has more shards.
  await scaleApplication(app, shards, waitWithoutFaults).catch(() => undefined)
  proxy.heal(app)
}

it('lists every acknowledged entity while processes use different numbers of shards, even if scaling is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      // A process caches an application for each key, so a new key stands for a new process.
      const old = await newClient()
      const { app_id } = old.credentials
      const recorded: string[] = []
      const expectListed = async (client: Client) => {
        const listed = await readList(client, '/api/products', { limit: 100 })
        expect(listed.map(({ id }) => id)).toEqual(recorded)
      }
      const recordAndList = async () => {
        const started = clientOf(await addApiKey(app_id))
        for (const client of [started, started, started, old]) {
          const body = { id: `p${recorded.length}`, name: 'x' }
          recorded.unshift((await client.create('/api/products', body)).id)
        }
        await expectListed(old)
        await expectListed(started)
      }
      for (const { cachesKey, moments, ...round } of plan) {
        if (cachesKey) await expectListed(old)
        const upcoming = moments.toSorted((one, other) => one - other)
        let second = 0
        const advanceTo = (later: number) => {
          advanceClock((later - second) * 1_000)
          second = later
        }
        /** Clients record and list at the moments in between. */
        const passUntil = async (last: number) => {
          while (upcoming.length > 0 && upcoming[0]! <= last) {
            advanceTo(upcoming.shift()!)
            await recordAndList()
          }
          advanceTo(last)
        }
        await scale(app_id, round, (millis) => passUntil(millis / 1_000))
        await passUntil(180)
      }
    }),
    { numRuns: runs(6, 1_000), endOnFailure: true },
  )
})
