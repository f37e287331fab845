import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { customer } from '../../shared/resources/customer.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { currentService, dynamodb, tableName } from '../../shared/store/service.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { readApplication, readRecord } from '../../tools/applications/application-records.ts'
import {
  disableApplication,
  enableApplication,
  listApplications,
  scaleApplication,
} from '../../tools/applications/applications.ts'
import { type RemovalOptions, removeApplication } from '../../tools/operator/remove.ts'
import { setClock } from '../support/clock.ts'
import { recordCopies } from '../support/database/copied-entities.ts'
import { dumpTable } from '../support/database/dump-table.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { type Client, clientOf, newClient, serveForTests } from '../support/requests/service.ts'
import { immediateRemoval } from '../support/stack/removals.ts'

serveForTests()
afterAll(() => setClock())

/** Some of them in several shards. */
const createFilled = async (customers = 3): Promise<Client> => {
  const client = await newClient()
  const { id: product_id } = await client.create('/api/products', productBody())
  await client.create('/api/prices', priceBody({ product_id }))
  const { id: discount } = await client.create('/api/discounts', discountBody())
  await scaleAtOnce(client, 4)
  const created = await inParallel(range(2), () => client.create('/api/customers', customerBody()))
  await recordCopies(client, customer, Array(customers - 2).fill(created[0].id))
  for (const { id } of created)
    await client.create('/api/invoices', invoiceBody({ customer_id: id, discounts: [discount] }))
  return client
}
const statusOf = async (client: Client): Promise<number> => {
  currentService().keyCache.clear()
  return (await client.get('/api/products')).status
}
const appOf = ({ credentials }: Client): string => credentials.app_id

const time = { S: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
/** The only item that the table contains after the removal. */
const tombstoneOf = (client: Client) => ({
  pk: { S: appOf(client) },
  sk: { S: 'APP' },
  removed: time,
  restore_to: time,
  shards: { N: '4' },
})

/** By every command that changes an application or lets clients write. */
const expectRefused = async (client: Client, message = /is being removed, and its keys are refused/) => {
  const scale = (app: string) => scaleApplication(app, 64, async () => undefined)
  for (const command of [enableApplication, disableApplication, addApiKey, scale])
    await expect(command(appOf(client))).rejects.toThrow(message)
}
/** Sorted by their keys, with index entries. */
const remainingItems = async (client: Client): Promise<object[]> => {
  const items = JSON.parse(await dumpTable()) as Record<'pk' | 'sk', { S: string }>[]
  const sortKey = (item: (typeof items)[number]) => `${item.pk.S}${item.sk.S}${Object.keys(item).sort()}`
  return items
    .filter(({ pk }) => pk.S.startsWith(appOf(client)))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

it('leaves only a tombstone without personal data, and changes no other application', async () => {
  const client = await createFilled(101)
  const other = await createFilled()
  const before = await remainingItems(other)
  const messages: string[] = []
  const removed = await removeApplication(
    appOf(client),
    immediateRemoval({ show: (message) => messages.push(message) }),
  )
  expect(removed).toMatchObject({
    app_id: appOf(client),
    deleted: {
      subscriptions: 2,
      invoices: 2,
      discounts: 1,
      customers: 101,
      prices: 1,
      products: 1,
      keys: 1,
    },
  })
  expect(messages).toEqual(
    expect.arrayContaining([
      'the keys stop working everywhere within 66 s',
      '100 customers deleted',
      '101 customers deleted',
    ]),
  )
  expect(await remainingItems(client)).toEqual([tombstoneOf(client)])
  expect(await remainingItems(other)).toEqual(before)
  expect(await statusOf(client)).toBe(401)
  expect(await statusOf(other)).toBe(200)
  await expectRefused(client, /^application \w+ was removed at [-\dT:.]+Z$/)
  const ids = (await listApplications()).map(({ app_id }) => app_id)
  expect(ids).toContain(appOf(other))
  expect(ids).not.toContain(appOf(client))
})

it('deletes an application when no request with a cached key can write, and again when no delayed one can arrive', async () => {
  const client = await createFilled()
  setClock(() => Date.UTC(2024, 0, 1) + waited)
  let waited = 0
  const checks: { waited: number; status: number; hasEntities: boolean }[] = []
  const wait = async (millis: number) => {
    // Keys that are not cached are refused at once.
    if (waited % 10_000 === 0 && waited <= 80_000)
      checks.push({
        waited,
        status: await statusOf(client),
        hasEntities: (await remainingItems(client)).length > 2,
      })
    waited += millis
  }
  const { restore_to } = await removeApplication(appOf(client), immediateRemoval({ wait }))
  setClock()
  // 66 s until keys stop, 10 s around the moment to restore to, 1 s for the indexes, 300 s until signatures
  // expire.
  expect(waited).toBe(377_000)
  expect(restore_to).toBe('2024-01-01T00:01:11Z')
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set([401]))
  expect(checks.findLast(({ hasEntities }) => hasEntities)?.waited).toBe(70_000)
  expect(checks.at(-1)).toMatchObject({ waited: 80_000, hasEntities: false })
})

it.each([1, 2, 4, 8])(
  'removes an application in a second run if the first one was interrupted at its write number %i',
  async (lastWrite) => {
    const client = await createFilled()
    let writes = 0
    interceptCalls(async ({ command }, proceed) => {
      if (/Write|Put/.test(command)) writes += 1
      if (writes > lastWrite) throw new Error('interrupted')
      return proceed()
    })
    await expect(removeApplication(appOf(client), immediateRemoval())).rejects.toThrow('interrupted')
    stopIntercepting()
    expect(await statusOf(client)).toBe(401)
    await expectRefused(client)
    expect(await remainingItems(client)).not.toEqual([tombstoneOf(client)])
    const { removing } = (await readApplication(appOf(client))).data
    setClock(() => Date.now() + 60_000)
    const { restore_to } = await removeApplication(appOf(client), immediateRemoval())
    if (removing!.restore_to) expect(restore_to).toBe(removing!.restore_to)
    expect(await remainingItems(client)).toEqual([tombstoneOf(client)])
  },
)

it('deletes what was written to an application after its removal', async () => {
  const client = await createFilled()
  const id = (await client.create('/api/customers', customerBody())).id as string
  const item = await getItem<Record<string, string>>(entityKey(appOf(client), id))
  await removeApplication(appOf(client), immediateRemoval())
  await dynamodb().send(new PutCommand({ TableName: tableName(), Item: item }))
  const emptying = removeApplication(appOf(client), immediateRemoval({ keepApplication: true }))
  await expect(emptying).rejects.toThrow(/was removed at/)
  const { deleted, restore_to } = await removeApplication(appOf(client), immediateRemoval())
  expect(deleted).toMatchObject({ customers: 1, invoices: 0, keys: 0 })
  expect(await remainingItems(client)).toEqual([{ ...tombstoneOf(client), restore_to: { S: restore_to } }])
})

it('reports that something still writes to a removed application', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody())
  let firstPage: Promise<object> | undefined
  interceptCalls(({ command, input }, proceed) => {
    if (command !== 'QueryCommand' || !/#customers/.test(JSON.stringify(input))) return proceed()
    firstPage ??= proceed()
    return firstPage
  })
  await expect(removeApplication(appOf(client), immediateRemoval())).rejects.toThrow(
    `application ${appOf(client)} does not become empty: something still writes to it`,
  )
  stopIntercepting()
})

const removalOfContents = immediateRemoval({ keepApplication: true })

it('deletes the records of a kept application and keeps its keys, and meanwhile refuses its keys and other commands', async () => {
  const client = await createFilled()
  const statuses = new Set<number>()
  let seconds = 0
  const wait = async () => {
    seconds += 1
    if (seconds % 100 !== 1) return
    await expectRefused(client)
    statuses.add(await statusOf(client))
  }
  const result = await removeApplication(appOf(client), { ...removalOfContents, wait })
  expect(result).toMatchObject({ disabled: null, deleted: { customers: 3, invoices: 2 } })
  expect([...statuses, await statusOf(client)]).toEqual([401, 200])
  for (const plural of ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'])
    expect((await client.get(`/api/${plural}`)).json.data[plural]).toEqual([])
  expect(await client.create('/api/customers', customerBody())).toMatchObject({ name: 'Ann Example' })
})

it('leaves a kept application disabled if it was disabled before', async () => {
  const client = await createFilled()
  const { disabled } = await disableApplication(appOf(client))
  expect(await removeApplication(appOf(client), removalOfContents)).toMatchObject({ disabled })
  expect(await statusOf(client)).toBe(401)
})

/** Does not wait, but runs `sleep` in one of the seconds of its waits. */
const suspendedRemoval = (
  keepApplication: boolean,
  suspendedSecond: number,
  sleep: () => Promise<void>,
): RemovalOptions => {
  let second = 0
  const wait = async () => {
    second += 1
    if (second === suspendedSecond) await sleep()
  }
  return immediateRemoval({ keepApplication, wait })
}

const KEEP = true
const REMOVE = false

/** With the same ids each time. */
const recordCustomers = (client: Client) =>
  Promise.all(range(3).map((id) => client.create('/api/customers', customerBody({ id }))))
const idsOf = async (client: Client): Promise<string[]> => {
  const { json } = await client.get('/api/customers?limit=100')
  return json.data.customers.map(({ id }: { id: string }) => id)
}

const OVERTAKEN =
  /^another command, such as a second "apps remove", has changed application \w+ since this removal read it/
const BEFORE_A_PAGE = 0

it.each(
  [KEEP, REMOVE].flatMap((isKept): [string, number, boolean][] => [
    ['until the keys stop', 1, isKept],
    ['until the deletion', 73, isKept],
    ['until delayed requests are refused', 200, isKept],
    ['before it deletes a page', BEFORE_A_PAGE, isKept],
  ]),
)(
  'deletes nothing that is recorded after another removal if it sleeps %s (second %i, --keep-application: %s)',
  async (_, second, isKept) => {
    const client = await newClient()
    await recordCustomers(client)
    const app_id = appOf(client)
    let newClientOfApp: Client | undefined
    const sleep = async () => {
      // The other removal deletes pages too.
      if (newClientOfApp) return
      newClientOfApp = client
      await removeApplication(app_id, immediateRemoval({ keepApplication: true }))
      currentService().keyCache.clear()
      // The first key may be deleted.
      newClientOfApp = clientOf(await addApiKey(app_id))
      await recordCustomers(newClientOfApp)
    }
    interceptCalls(async ({ input }, proceed) => {
      if (second === BEFORE_A_PAGE && /"Delete(Request)?":/.test(JSON.stringify(input))) await sleep()
      return proceed()
    })
    const [result] = await Promise.allSettled([
      removeApplication(app_id, suspendedRemoval(isKept, second, sleep)),
    ])
    stopIntercepting()
    expect(await idsOf(newClientOfApp!)).toHaveLength(3)
    expect(result).toMatchObject({ reason: { message: expect.stringMatching(OVERTAKEN) } })
  },
)

// In each second, each kind of removal is once the first and once the second one.
it.each([
  [1, KEEP, REMOVE],
  [1, REMOVE, KEEP],
  [76, KEEP, KEEP],
  [76, REMOVE, REMOVE],
  [376, KEEP, REMOVE],
  [376, REMOVE, KEEP],
])(
  'completes exactly one of two removals if the second begins in second %i of the first (--keep-application: %s, %s)',
  async (second, isFirstKept, isSecondKept) => {
    const client = await newClient()
    const app_id = appOf(client)
    await recordCustomers(client)
    let secondRemoval: Promise<unknown> = Promise.resolve()
    const begin = async () => {
      secondRemoval = removeApplication(app_id, immediateRemoval({ keepApplication: isSecondKept }))
      // Both removals continue now. An error of the second one is expected below.
      secondRemoval.catch(() => undefined)
    }
    const firstRemoval = removeApplication(app_id, suspendedRemoval(isFirstKept, second, begin))
    const [firstResult] = await Promise.allSettled([firstRemoval])
    const [secondResult] = await Promise.allSettled([secondRemoval])
    expect([firstResult, secondResult].map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const isKept = firstResult.status === 'fulfilled' ? isFirstKept : isSecondKept
    expect('removed' in (await readRecord(app_id))).toBe(!isKept)
    if (isKept) expect(await idsOf(clientOf(await addApiKey(app_id)))).toEqual([])
  },
)
