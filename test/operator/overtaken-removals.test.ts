import { forgetApplications } from '../../shared/store/authorisation.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { readRecord } from '../../tools/applications/application-records.ts'
import { type Removal, removeApplication } from '../../tools/operator/remove.ts'
import { aroundCalls, leaveCalls } from '../support/around-calls.ts'
import { customerBody } from '../support/bodies.ts'
import { upTo } from '../support/lists.ts'
import { removal } from '../support/removals.ts'
import { type Client, clientOf, newClient, serveForTests } from '../support/service.ts'

serveForTests()

/** Returns a removal that does not wait, but runs `sleep` in second `at` of its waits. */
const suspended = (keepApplication: boolean, at: number, sleep: () => Promise<void>): Removal => {
  let second = 0
  const wait = async () => {
    second += 1
    if (second === at) await sleep()
  }
  return removal({ keepApplication, wait })
}

const KEEP = true
const WHOLE = false

/** Records customers with the same ids each time. */
const recordCustomers = (client: Client) =>
  Promise.all(upTo(3).map((id) => client.create('/api/customers', customerBody({ id }))))
const idsOf = async (client: Client): Promise<string[]> => {
  const { json } = await client.get('/api/customers?limit=100')
  return json.data.customers.map(({ id }: { id: string }) => id)
}

const OVERTAKEN =
  /^another command, such as a second "apps remove", has changed application \w+ since this removal read it/
const BEFORE_A_PAGE = 0

it.each(
  [KEEP, WHOLE].flatMap((kept): [string, number, boolean][] => [
    ['until the keys stop', 1, kept],
    ['until the deletion', 73, kept],
    ['until delayed requests are refused', 200, kept],
    ['before it deletes a page', BEFORE_A_PAGE, kept],
  ]),
)(
  'a removal that sleeps %s deletes nothing recorded after another removal (second %i, --keep-application: %s)',
  async (_, at, kept) => {
    const client = await newClient()
    await recordCustomers(client)
    const { app_id } = client.credentials
    let next: Client | undefined
    const sleep = async () => {
      // The other removal deletes pages too.
      if (next) return
      next = client
      await removeApplication(app_id, removal({ keepApplication: true }))
      forgetApplications()
      // The first key may be deleted.
      next = clientOf(await addApiKey(app_id))
      await recordCustomers(next)
    }
    aroundCalls(async ({ input }, proceed) => {
      if (at === BEFORE_A_PAGE && /"Delete(Request)?":/.test(JSON.stringify(input))) await sleep()
      return proceed()
    })
    const [ended] = await Promise.allSettled([removeApplication(app_id, suspended(kept, at, sleep))])
    leaveCalls()
    expect(await idsOf(next!)).toHaveLength(3)
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
    await recordCustomers(client)
    let other: Promise<unknown> = Promise.resolve()
    const begin = async () => {
      other = removeApplication(app_id, removal({ keepApplication: second }))
      // Both go on from here. The expectation below sees its error.
      other.catch(() => undefined)
    }
    const one = removeApplication(app_id, suspended(first, at, begin))
    const ended = [...(await Promise.allSettled([one])), ...(await Promise.allSettled([other]))]
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const kept = ended[0]!.status === 'fulfilled' ? first : second
    expect('removed' in (await readRecord(app_id))).toBe(!kept)
    if (kept) expect(await idsOf(clientOf(await addApiKey(app_id)))).toEqual([])
  },
)
