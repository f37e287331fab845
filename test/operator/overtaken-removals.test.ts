import { forgetApplications } from '../../shared/store/authorisation.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { readRecord } from '../../tools/applications/application-records.ts'
import { type Removal, removeApplication } from '../../tools/operator/remove.ts'
import { aroundCalls, leaveCalls } from '../support/around-calls.ts'
import { customerBody } from '../support/bodies.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { type Client, clientOf, newClient, serveForTests } from '../support/service.ts'

serveForTests()

/** Returns a removal that does not wait, but runs `sleep` in second `at` of its waits. */
const removal = (
  keepApplication: boolean,
  at = -1,
  sleep = async (): Promise<void> => undefined,
): Removal => {
  let second = 0
  const wait = async () => {
    second += 1
    if (second === at) await sleep()
  }
  return { keepApplication, tell: () => undefined, wait }
}

const KEEP = true
const WHOLE = false

const recordCustomers = (client: Client, count: number) =>
  inParallel(upTo(count), () => client.create('/api/customers', customerBody()))
const idsOf = async (client: Client): Promise<string[]> => {
  const { json } = await client.get('/api/customers?limit=100')
  return json.data.customers.map(({ id }: { id: string }) => id).sort()
}

/** Empties an application to the end. Returns a client of it with a new key, since the first one may be deleted. */
const emptied = async (app_id: string): Promise<Client> => {
  await removeApplication(app_id, removal(KEEP))
  forgetApplications()
  return clientOf(await addApiKey(app_id))
}

const OVERTAKEN =
  /^another command, such as a second "apps remove", has changed application \w+ since this removal read it/

it.each([
  ['the records', 'until the keys stop', KEEP, 1],
  ['the records', 'before the deletion', KEEP, 73],
  ['the records', 'until delayed requests are refused', KEEP, 200],
  ['the whole application', 'until the keys stop', WHOLE, 1],
  ['the whole application', 'before the deletion', WHOLE, 73],
  ['the whole application', 'until delayed requests are refused', WHOLE, 200],
])(
  'a removal of %s, suspended in its wait %s, deletes nothing recorded after another removal',
  async (_, __, kept, second) => {
    const client = await newClient()
    await recordCustomers(client, 3)
    const { app_id } = client.credentials
    let next = client
    let recorded: string[] = []
    const sleep = async () => {
      next = await emptied(app_id)
      recorded = (await recordCustomers(next, 3)).map(({ id }) => id).sort()
    }
    const [ended] = await Promise.allSettled([removeApplication(app_id, removal(kept, second, sleep))])
    expect([recorded.length, await idsOf(next)]).toEqual([3, recorded])
    expect(ended).toMatchObject({ reason: { message: expect.stringMatching(OVERTAKEN) } })
  },
)

it.each([
  ['the records', KEEP],
  ['the whole application', WHOLE],
])(
  'a removal of %s, suspended before deleting a page, deletes nothing recorded after another removal',
  async (_, kept) => {
    const client = await newClient()
    const { app_id } = client.credentials
    // With an id of the client's own, the new entity has the id that was read.
    await client.create('/api/customers', customerBody({ id: 'again' }))
    let next = client
    let slept = false
    aroundCalls(async ({ input }, proceed) => {
      if (slept || !/"Delete(Request)?":/.test(JSON.stringify(input))) return proceed()
      slept = true
      next = await emptied(app_id)
      await next.create('/api/customers', customerBody({ id: 'again' }))
      return proceed()
    })
    const [ended] = await Promise.allSettled([removeApplication(app_id, removal(kept))])
    leaveCalls()
    expect([slept, (await idsOf(next)).length]).toEqual([true, 1])
    expect(ended).toMatchObject({ reason: { message: expect.stringMatching(OVERTAKEN) } })
  },
)

// Each kind of removal is the first and the second one in each second, and meets either kind.
it.each([
  [1, KEEP, WHOLE],
  [1, WHOLE, KEEP],
  [76, KEEP, KEEP],
  [76, WHOLE, WHOLE],
  [376, KEEP, WHOLE],
  [376, WHOLE, KEEP],
])(
  'exactly one of two removals ends if the second begins in second %i of the first (--keep-application: %s, %s)',
  async (at, first, second) => {
    const client = await newClient()
    const { app_id } = client.credentials
    await recordCustomers(client, 5)
    let other: Promise<unknown> = Promise.resolve()
    const begin = async () => {
      other = removeApplication(app_id, removal(second))
      // Both go on from here. The expectation below sees its error.
      other.catch(() => undefined)
    }
    const one = removeApplication(app_id, removal(first, at, begin))
    const ended = [...(await Promise.allSettled([one])), ...(await Promise.allSettled([other]))]
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const kept = ended[0]!.status === 'fulfilled' ? first : second
    expect('removed' in (await readRecord(app_id))).toBe(!kept)
    if (kept) expect(await idsOf(clientOf(await addApiKey(app_id)))).toEqual([])
  },
)
