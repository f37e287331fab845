import { randomUUID } from 'node:crypto'
import { PutCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import { currentService, dynamodb } from '../../shared/store/service.ts'
import { addApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import { disableApplication } from '../../tools/applications/applications.ts'
import { beginRemoval } from '../../tools/applications/removal.ts'
import { prepareTable, useDatabase } from '../../tools/local/database.ts'
import { reapplyErasures } from '../../tools/operator/erasures.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { forgetInstants, setClock } from '../support/clock.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { inParallel } from '../support/in-parallel.ts'
import { runToEnd } from '../support/processes/local-process.ts'
import { range } from '../support/range.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { type Client, clientOf, newClient, serveForTests } from '../support/requests/service.ts'
import { immediateRemoval } from '../support/stack/removals.ts'

serveForTests()
afterEach(() => setClock())

const engine = () => process.env.TEST_ENGINE as string
const scan = async (TableName: string): Promise<Record<string, unknown>[]> =>
  ((await dynamodb().send(new ScanCommand({ TableName }))) as ScanCommandOutput).Items ?? []

const noRepetitions = { erased: 0, already: 0, absent: 0, revoked: 0, disabled: [], removed: [] }

/** As a restore does. Returns the name of the copy. */
const restoreTable = async (table: string): Promise<string> => {
  const name = `restored-${randomUUID()}`
  const items = await scan(table)
  await prepareTable(engine(), name)
  for (const Item of items) await dynamodb().send(new PutCommand({ TableName: name, Item }))
  return name
}

it('anonymises in a restored table, once, the customers who were anonymised since, and changes nothing else', async () => {
  const table = process.env.TABLE_NAME as string
  const client = await newClient()
  const createCustomer = () =>
    client.create('/api/customers', customerBody({ phone: '+49 30 555', metadata: { kept: 1 } }))
  const erase = ({ id }: { id: string }) => client.put(`/api/customers/${id}`)
  const erasedBefore = await createCustomer()
  const erasedSince = await createCustomer()
  const erasedTwice = await createCustomer()
  const neverErased = await createCustomer()
  for (const customer of [erasedBefore, erasedTwice]) await erase(customer)
  await client.put(`/api/customers/${erasedTwice.id}`, { id: erasedTwice.id, name: 'Back' })
  const copy = await restoreTable(table)
  useDatabase(engine(), table)
  for (const customer of [erasedSince, erasedTwice, await createCustomer()]) await erase(customer)

  useDatabase(engine(), copy)
  // The operator's clock is behind the clocks of the erasures.
  forgetInstants()
  setClock(() => Date.now() - 600_000)
  expect(await reapplyErasures(table)).toEqual({ ...noRepetitions, erased: 2, already: 1, absent: 1 })
  expect((await client.get(`/api/customers/${erasedSince.id}`)).json.data.customer).toEqual({
    ...erasedSince,
    name: expect.stringMatching(/anonymous/i),
    email: expect.stringMatching(/\.invalid$/),
  })
  expect((await client.get(`/api/customers/${neverErased.id}`)).json.data.customer).toEqual(neverErased)
  const item = (await scan(copy)).find(({ pk }) => String(pk).endsWith(erasedSince.id))
  expect(JSON.stringify(item)).not.toContain('+49 30 555')
  expect((await client.get(`/api/customers/${erasedTwice.id}`)).json.data.customer.name).not.toBe('Back')
  expect(await reapplyErasures(table)).toEqual({ ...noRepetitions, already: 3, absent: 1 })
})

it('revokes the keys, and disables the applications, that were revoked, disabled or removed since', async () => {
  const table = process.env.TABLE_NAME as string
  const clients = await Promise.all(range(5).map(() => newClient()))
  const [kept, revoked, disabled, removed, removing] = clients as [Client, Client, Client, Client, Client]
  const appOf = ({ credentials }: Client) => credentials.app_id
  const second = clientOf(await addApiKey(appOf(revoked)))
  // A removal that had begun before the restore refuses the keys itself, unless it has ended since.
  await beginRemoval(appOf(await newClient()))
  const removedSince = appOf(await newClient())
  await beginRemoval(removedSince)
  const copy = await restoreTable(table)
  useDatabase(engine(), table)
  const [{ key_id } = { key_id: '' }] = (await listApiKeys(appOf(revoked))).filter(({ ends_with }) =>
    revoked.credentials.api_key.endsWith(ends_with),
  )
  await revokeApiKey(appOf(revoked), key_id)
  await disableApplication(appOf(disabled))
  for (const app of [appOf(removed), removedSince]) await removeApplication(app, immediateRemoval())
  await beginRemoval(appOf(removing))

  useDatabase(engine(), copy)
  const repeated = await reapplyErasures(table)
  const removedIds = [appOf(removed), appOf(removing), removedSince].sort()
  expect(repeated.revoked).toBe(1)
  expect([...repeated.removed].sort()).toEqual(removedIds)
  const newlyDisabled = [disabled, removed, removing].map(appOf)
  expect([...repeated.disabled].sort()).toEqual(newlyDisabled.sort())
  const statuses: number[] = []
  for (const client of [kept, second, revoked, disabled, removed, removing]) {
    currentService().keyCache.clear()
    statuses.push((await client.get('/api/products')).status)
  }
  expect(statuses).toEqual([200, 200, 401, 401, 401, 401])
  const again = await reapplyErasures(table)
  expect({ ...again, removed: [...again.removed].sort() }).toMatchObject({
    revoked: 0,
    disabled: [],
    removed: removedIds,
  })
})

/** Uses the copy from then on. */
const eraseAfterCopy = async (count: number) => {
  const table = process.env.TABLE_NAME as string
  const client = await newClient()
  const created = await inParallel(range(count), () => client.create('/api/customers', customerBody()))
  const copy = await restoreTable(table)
  useDatabase(engine(), table)
  for (const { id } of created) await client.put(`/api/customers/${id}`)
  useDatabase(engine(), copy)
  return { table, copy, client, ids: created.map(({ id }) => id as string) }
}

it('reports the position from which another run continues if the table fails', async () => {
  const { table } = await eraseAfterCopy(4)
  const { already } = await reapplyErasures(process.env.TABLE_NAME as string)
  const messages: string[] = []
  // Pages of one item, until the table can no longer be read.
  let pages = 0
  interceptCalls(async ({ command, input }, proceed) => {
    if (command !== 'ScanCommand') return proceed()
    pages += 1
    if (pages === 6) throw new Error('no permission')
    return proceed({ ...input, Limit: 1 })
  })
  const firstRun = reapplyErasures(table, { show: (state) => messages.push(state) })
  const error = (await firstRun.catch((thrown) => thrown)) as Error
  stopIntercepting()
  const [, counts, after] = /^no permission; so far (.*); run it again with --after ([\w-]+)$/.exec(
    error.message,
  )!
  expect(messages.at(-1)).toContain(`--after ${after} continues from here`)
  const first = JSON.parse(counts!)
  const second = await reapplyErasures(table, { after })
  const third = await reapplyErasures(table)
  expect(first.erased + second.erased).toBe(4)
  expect(third.erased).toBe(0)
  expect(first.already + first.erased + second.already + second.erased).toBe(third.already)
  expect(already).toBeLessThan(third.already)
  await expect(reapplyErasures(table, { after: 'here' })).rejects.toThrow(/^--after must be a position/)
})

it('waits and continues if the table is busy', async () => {
  const { table } = await eraseAfterCopy(1)
  let refused = 0
  interceptCalls(async ({ command }, proceed) => {
    if (command !== 'PutItemCommand' || refused === 4) return proceed()
    refused += 1
    throw Object.assign(new Error('busy'), { name: 'ThrottlingException' })
  })
  expect(await reapplyErasures(table)).toMatchObject({ erased: 1 })
})

it('changes no customer that another version wrote, and names the unknown attributes', async () => {
  const { table, copy, client, ids } = await eraseAfterCopy(1)
  const [item] = (await scan(copy)).filter(({ pk }) => String(pk).endsWith(ids[0]!))
  const data = { ...(item!.data as object), address: 'Unknown Street 1' }
  for (const Item of [
    { ...item, data },
    { ...item, nickname: 'Ann' },
  ]) {
    await dynamodb().send(new PutCommand({ TableName: copy, Item }))
    await expect(reapplyErasures(table)).rejects.toThrow(
      /^app_\w+#cus_\w+ has an unknown "(data.address|nickname)": another version wrote it; use the commands [^\n]+$/,
    )
    expect((await scan(copy)).find(({ pk }) => pk === item!.pk)).toEqual(Item)
  }
  expect((await client.get(`/api/customers/${ids[0]}`)).json.data.customer.name).toBe('Ann Example')
})

it('connects the command erasures to AWS, whatever engine the environment names', async () => {
  const aws = {
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_MAX_ATTEMPTS: '1',
    AWS_REGION: 'x',
    AWS_ENDPOINT_URL_DYNAMODB: engine(),
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
  }
  const table = randomUUID()
  await prepareTable(engine(), table)
  const args = ['bin/erasures.ts', '--from', table, '--to', table, '--region', 'local']
  const { code, out, err } = await runToEnd(process.execPath, args, aws)
  expect(err).toBe('')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(noRepetitions)
})
