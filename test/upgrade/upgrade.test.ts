import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Item } from '../../shared/store/items.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { currentService, tableName } from '../../shared/store/service.ts'
import { table } from '../../shared/store/table.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  disableApplication,
  enableApplication,
  listApplications,
} from '../../tools/applications/applications.ts'
import { localClient } from '../../tools/local/database.ts'
import { reapplyErasures } from '../../tools/operator/erasures.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { setClock } from '../support/clock.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { inParallel } from '../support/in-parallel.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { readPages } from '../support/requests/list-pages.ts'
import { clientOf, newClient, serveForTests } from '../support/requests/service.ts'
import { immediateRemoval } from '../support/stack/removals.ts'
import { exportAs, sortedLines } from '../transfer/exporting.ts'
import { importAs } from '../transfer/importing.ts'
import { type Exchange, identities, type Recording } from './recording.ts'

const recordings = readdirSync(__dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as Recording)

const applications = ['plain', 'sharded'] as const
const erasedIds = ['erased', 'returned', 'never-known']

/** As the table does until the deployment of this version has added its own. */
const allowOnlyIndexes = (indexes: readonly string[]): void =>
  interceptCalls(({ input: { IndexName } }, proceed) => {
    if (IndexName === undefined || indexes.includes(IndexName)) return proceed()
    const message = `The table does not have the specified index: ${IndexName}`
    return Promise.reject(
      Object.assign(new Error(message), { name: 'ValidationException', $fault: 'client' }),
    )
  })

describe.each(recordings)('on a table of version $version', ({ items, indexes, answers, replays }) => {
  serveForTests()
  const clientOfApp = (app: keyof typeof identities) => clientOf(identities[app])
  const updateByCreate = (app: keyof typeof identities, id: string) =>
    clientOfApp(app).post('/api/customers?on_conflict=update', { id, name: 'Changed' })

  beforeAll(async () => {
    // Each table has the same keys.
    currentService().keyCache.clear()
    const client = localClient(currentService().settings().endpoint as string)
    await inParallel(items, (Item) => client.send(new PutItemCommand({ TableName: tableName(), Item })))
    client.destroy()
  })
  beforeEach(() => allowOnlyIndexes(indexes))

  it.each(answers)(
    'responds as before to $method $path of the application $app',
    async ({ app, path, answer }) => {
      const { json } = await clientOfApp(app).get(path)
      expect(json).toMatchObject(answer)
    },
  )

  const createsErasedData = ({ path, body }: Exchange) =>
    erasedIds.includes((body as { id: string }).id) && !path.includes('erased=true')
  const createsOfErasedData = replays.filter(createsErasedData)
  const otherCreates = replays.filter((exchange) => !createsErasedData(exchange))

  it.each(otherCreates)(
    'recognises $method $path of the application $app with the id $body.id as a replay',
    async ({ app, path, body, answer }) => {
      const { status, headers, json } = await clientOfApp(app).post(path, body)
      const [entity] = Object.values(answer.data)
      expect(status).toBe(200)
      expect(headers.get('idempotent-replayed')).toBe('true')
      expect(Object.values(json.data)).toMatchObject([{ id: entity.id }])
    },
  )

  it.each(createsOfErasedData)(
    'refuses a create of the application $app with the data of a customer who was erased later: $body.id',
    async ({ app, path, body }) => {
      expect(await clientOfApp(app).post(path, body)).toMatchObject({ status: 409 })
    },
  )

  describe.each(applications)('in the application %s', (app) => {
    it.each(['kept', 'empty', 'updated', 'often', ...erasedIds])('updates the customer %s', async (id) => {
      const { json } = await clientOfApp(app).put(`/api/customers/${id}`, { id, name: 'Changed' })
      expect(json.data.customer.name).toBe('Changed')
    })

    it.each(['kept', 'empty', 'updated', 'often'])('updates the customer %s by a create', async (id) => {
      expect(await updateByCreate(app, id)).toMatchObject({ status: 200 })
    })

    it.each(erasedIds)('refuses to update the erased customer %s by a create', async (id) => {
      expect(await updateByCreate(app, id)).toMatchObject({ status: 409 })
    })

    it.each(['kept', 'often'])(
      'updates the subscription of the customer %s by an invoice',
      async (customer) => {
        const client = clientOfApp(app)
        const subscription = `${customer}-pro`
        const { id } = await client.create('/api/invoices', {
          id: `may-${customer}`,
          total: 1,
          currency: 'EUR',
          customer_id: customer,
          subscription_id: subscription,
          created: '2024-05-01',
          period_start: '2024-05-01',
          period_end: '2024-06-01',
        })
        const { json } = await client.get(`/api/subscriptions/${subscription}`)
        expect(json.data.subscription).toMatchObject({ latest_invoice_id: id, created: 1_709_251_200 })
      },
    )

    it('erases a customer', async () => {
      const { json } = await clientOfApp(app).put('/api/customers/kept')
      expect(json.data.customer).toMatchObject({ name: 'Anonymous customer' })
    })
  })

  it.each(applications)(
    'lists all entities of %s by their last change, even those that have not changed since the upgrade',
    async (app) => {
      stopIntercepting()
      const client = clientOfApp(app)
      setClock(() => Date.now() + 2_000)
      for (const list of ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions']) {
        const listIds = async (query: Record<string, number>) => {
          const pages = await readPages(client, `/api/${list}`, query)
          return pages.flatMap(({ ids }) => ids).sort()
        }
        expect(await listIds({ changed_since: 0, limit: 3 })).toEqual(await listIds({}))
      }
      setClock()
    },
  )

  const lacksIndex = table.indexes.some(({ name }) => !indexes.includes(name))
  it(`${lacksIndex ? 'responds with 503' : 'responds'} to a request that needs an index of this version`, async () => {
    const { status, headers } = await clientOfApp('plain').get('/api/customers?changed_since=0')
    expect(status).toBe(lacksIndex ? 503 : 200)
    expect(headers.has('retry-after')).toBe(lacksIndex)
  })

  it.each(applications)(
    'exports data of %s that are the same after an import into another application',
    async (app) => {
      const original = await exportAs(clientOfApp(app))
      const other = await newClient()
      const { counts } = await importAs(other, original.paths)
      expect(counts).toMatchObject({ conflict: 0, invalid: 0, failed: 0 })
      expect(sortedLines(await exportAs(other))).toEqual(sortedLines(original))
    },
  )

  it('finds every erasure, revocation and removal done already when it repeats them on the same table', async () => {
    expect(await reapplyErasures(tableName())).toMatchObject({ absent: 0, disabled: [], removed: [] })
  })

  it('lists, finds, enables and disables applications', async () => {
    const names = (await listApplications()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Plain', 'Sharded', 'Disabled']))
    expect(names).not.toContain('Removed')
    const { app_id, api_key } = identities.disabled
    expect(await findApiKey(api_key)).toMatchObject({ app_id, name: 'Disabled' })
    const client = clientOfApp('disabled')
    expect(await client.get('/api/products')).toMatchObject({ status: 401 })
    await enableApplication(app_id)
    currentService().keyCache.clear()
    expect(await client.get('/api/products')).toMatchObject({ status: 200 })
    expect(await disableApplication(app_id)).toMatchObject({ app_id })
    await expect(addApiKey(identities.removed.app_id)).rejects.toThrow(/was removed at/)
  })

  it.each(applications)('adds and revokes keys of %s, scales and removes it', async (app) => {
    const { app_id } = identities[app]
    const { key_id } = await addApiKey(app_id)
    expect(await revokeApiKey(app_id, key_id)).toMatchObject({ key_id })
    const client = clientOfApp(app)
    await scaleAtOnce(client, 5)
    const { json } = await client.get('/api/customers')
    expect(json.data.customers).not.toEqual([])
    expect((await listApiKeys(app_id)).length).toBeGreaterThan(1)
    await removeApplication(app_id, immediateRemoval())
    const remaining = await listApplications()
    expect(remaining.map((application) => application.app_id)).not.toContain(app_id)
  })
})

describe('on a table of a later version', () => {
  serveForTests()

  it('keeps the attributes that another version has stored, also after updates and an erasure', async () => {
    const client = await newClient()
    const { id } = await client.create('/api/customers', customerBody({ id: 'me', phone: '1' }))
    const readItem = async () => (await getItem<Item>(entityKey(client.credentials.app_id, id)))!
    const item = await readItem()
    const later = { loyalty: { tier: 'gold' }, visits: new Set([1, 2]) }
    const Item = { ...item, later, data: { ...item.data, later }, extra: { ...item.extra, later } }
    await send(new PutCommand({ TableName: tableName(), Item }))
    const update = { id: 'me', name: 'New' }
    const erasure = undefined
    const updateAfterErasure = { id: 'me', phone: '2' }
    for (const body of [update, erasure, updateAfterErasure]) {
      expect(await client.put('/api/customers/me', body)).toMatchObject({ status: 200 })
      expect(await readItem()).toMatchObject({ later, data: { later }, extra: { later } })
    }
  })
})
