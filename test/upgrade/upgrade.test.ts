import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { currentService, tableName } from '../../shared/store/service.ts'
import { table } from '../../shared/store/table.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  disableApplication,
  enableApplication,
  listApplications,
  scaleApplication,
} from '../../tools/applications/applications.ts'
import { localClient } from '../../tools/local/database.ts'
import { reapplyErasures } from '../../tools/operator/erasures.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { setClock } from '../support/clock.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { readPages } from '../support/requests/list-pages.ts'
import { clientOf, newClient, serveForTests } from '../support/requests/service.ts'
import { exportAs, sortedLines } from '../transfer/exporting.ts'
import { importAs } from '../transfer/importing.ts'
import { identities, type Recording } from './recording.ts'

const recordings = readdirSync(__dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as Recording)

const erased = ['erased', 'returned', 'never-known']
const applications = ['plain', 'sharded'] as const
const wait = () => Promise.resolve()

/** Makes the table refuse all indexes but these, as it does until the deployment of this version has added its own. */
const haveOnly = (indexes: readonly string[]): void =>
  interceptCalls(({ input: { IndexName } }, proceed) => {
    if (IndexName === undefined || indexes.includes(IndexName)) return proceed()
    const message = `The table does not have the specified index: ${IndexName}`
    return Promise.reject(
      Object.assign(new Error(message), { name: 'ValidationException', $fault: 'client' }),
    )
  })

// test/stack/templates/billing-table.ts shows that the table keeps its keys and indexes.
describe.each(recordings)('on a table of version $version', ({ items, indexes, answers, replays }) => {
  serveForTests()
  const ofApp = (app: keyof typeof identities) => clientOf(identities[app])

  beforeAll(async () => {
    const client = localClient(currentService().settings().endpoint as string)
    for (const Item of items) await client.send(new PutItemCommand({ TableName: tableName(), Item }))
    client.destroy()
  })
  beforeEach(() => {
    currentService().keyCache.clear()
    haveOnly(indexes)
  })

  it.each(answers)('responds to $app: $method $path as before', async ({ app, path, answer }) => {
    expect((await ofApp(app).get(path)).json).toMatchObject(answer)
  })

  it.each(replays)('recognises $app: $method $path $body.id as a replay', async (exchange) => {
    const { app, path, body, answer } = exchange
    const { status, headers, json } = await ofApp(app).post(path, body)
    const [entity] = Object.values(answer.data)
    // A create with the data of a customer who was erased later is refused forever.
    if (erased.includes((body as { id: string }).id) && !path.includes('erased=true'))
      return expect(status).toBe(409)
    expect(status).toBe(200)
    expect(headers.get('idempotent-replayed')).toBe('true')
    expect(Object.values(json.data)).toMatchObject([{ id: entity.id }])
  })

  it.each(applications)('updates customers and subscriptions of %s', async (app) => {
    const client = ofApp(app)
    for (const id of ['kept', 'empty', 'updated', 'often', ...erased]) {
      const body = { id, name: 'Changed' }
      expect((await client.put(`/api/customers/${id}`, body)).json.data.customer.name).toBe('Changed')
      const again = await client.call('POST', '/api/customers?on_conflict=update', { body })
      expect({ id, status: again.status }).toEqual({ id, status: erased.includes(id) ? 409 : 200 })
    }
    const may = { created: '2024-05-01', period_start: '2024-05-01', period_end: '2024-06-01' }
    for (const [customer_id, subscription_id] of [
      ['kept', 'kept-pro'],
      ['often', 'often-pro'],
    ]) {
      const invoice = {
        id: `may-${customer_id}`,
        total: 1,
        currency: 'EUR',
        customer_id,
        subscription_id,
        ...may,
      }
      const { id } = await client.create('/api/invoices', invoice)
      const { json } = await client.get(`/api/subscriptions/${subscription_id}`)
      expect(json.data.subscription).toMatchObject({ latest_invoice_id: id, created: 1_709_251_200 })
    }
    const { json } = await client.put('/api/customers/kept')
    expect(json.data.customer).toMatchObject({ name: 'Anonymous customer' })
  })

  it.each(applications)(
    'lists all entities of %s by their last change, even those that have not changed since the upgrade',
    async (app) => {
      stopIntercepting()
      const client = ofApp(app)
      setClock(() => Date.now() + 2_000)
      for (const list of ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions']) {
        const ids = async (query: Record<string, number>) =>
          (await readPages(client, `/api/${list}`, query)).flatMap((page) => page.ids).sort()
        expect(await ids({ changed_since: 0, limit: 3 })).toEqual(await ids({}))
      }
      setClock()
    },
  )

  it('responds with 503 to a request that needs an index which does not exist yet', async () => {
    const missing = table.indexes.some(({ name }) => !indexes.includes(name))
    const { status, headers } = await ofApp('plain').get('/api/customers?changed_since=0')
    expect(status).toBe(missing ? 503 : 200)
    expect(headers.has('retry-after')).toBe(missing)
  })

  it('exports data that are the same after an import into another application', async () => {
    for (const app of applications) {
      const first = await exportAs(ofApp(app))
      const other = await newClient()
      expect((await importAs(other, first.paths)).counts).toMatchObject({
        conflict: 0,
        invalid: 0,
        failed: 0,
      })
      expect(sortedLines(await exportAs(other))).toEqual(sortedLines(first))
    }
  })

  it('repeats erasures, revocations and removals', async () => {
    expect(await reapplyErasures(tableName())).toMatchObject({ absent: 0, disabled: [], removed: [] })
  })

  it('supports every command for applications and keys', async () => {
    const names = (await listApplications()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Plain', 'Sharded', 'Disabled']))
    expect(names).not.toContain('Removed')
    const { app_id, api_key } = identities.disabled
    expect(await findApiKey(api_key)).toMatchObject({ app_id, name: 'Disabled' })
    expect((await ofApp('disabled').get('/api/products')).status).toBe(401)
    await enableApplication(app_id)
    currentService().keyCache.clear()
    expect((await ofApp('disabled').get('/api/products')).status).toBe(200)
    expect(await disableApplication(app_id)).toMatchObject({ app_id })
    await expect(addApiKey(identities.removed.app_id)).rejects.toThrow(/was removed at/)
    for (const app of applications) {
      const { key_id } = await addApiKey(identities[app].app_id)
      expect(await revokeApiKey(identities[app].app_id, key_id)).toMatchObject({ key_id })
      await scaleApplication(identities[app].app_id, 8, wait)
      currentService().keyCache.clear()
      expect((await ofApp(app).get('/api/customers')).json.data.customers).not.toHaveLength(0)
      expect((await listApiKeys(identities[app].app_id)).length).toBeGreaterThan(1)
      await removeApplication(identities[app].app_id, { keepApplication: false, show: () => undefined, wait })
    }
    const left = (await listApplications()).map(({ name }) => name)
    expect(left).not.toContain('Plain')
  })
})
