import { randomUUID } from 'node:crypto'
import { PutCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import { forgetInstants, setClock } from '../../shared/clock.ts'
import { documents } from '../../shared/store/aws/client.ts'
import { prepareTable, useDatabase } from '../../tools/local/database.ts'
import { reapplyErasures } from '../../tools/operator/erasures.ts'
import { customerBody } from '../support/bodies.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()
afterEach(() => setClock())

const engine = () => process.env.TEST_ENGINE as string
const scan = async (TableName: string): Promise<Record<string, unknown>[]> =>
  ((await documents().send(new ScanCommand({ TableName }))) as ScanCommandOutput).Items ?? []

/** A table as it is restored: everything as it was at a moment. */
const restored = async (table: string): Promise<string> => {
  const name = `restored-${randomUUID()}`
  const items = await scan(table)
  await prepareTable(engine(), name)
  for (const Item of items) await documents().send(new PutCommand({ TableName: name, Item }))
  return name
}

it('anonymises in a restored table who was anonymised since, once, and changes nothing else', async () => {
  const table = process.env.TABLE_NAME as string
  const client = await newClient()
  const make = () => client.create('/api/customers', customerBody({ phone: '555', metadata: { kept: 1 } }))
  const erase = ({ id }: { id: string }) => client.put(`/api/customers/${id}`)
  const [before, since, again, never] = [await make(), await make(), await make(), await make()]
  for (const each of [before, again]) await erase(each)
  await client.put(`/api/customers/${again.id}`, { id: again.id, name: 'Back' })
  const copy = await restored(table)
  useDatabase(engine(), table)
  for (const each of [since, again, await make()]) await erase(each)

  useDatabase(engine(), copy)
  // The operator's clock is behind those that erased.
  forgetInstants()
  setClock(() => Date.now() - 600_000)
  expect(await reapplyErasures(table)).toEqual({ erased: 2, already: 1, absent: 1 })
  expect((await client.get(`/api/customers/${since.id}`)).json.data.customer).toEqual({
    ...since,
    name: expect.stringMatching(/anonymous/i),
    email: expect.stringMatching(/\.invalid$/),
  })
  expect((await client.get(`/api/customers/${never.id}`)).json.data.customer).toEqual(never)
  const left = (await scan(copy)).find(({ pk }) => String(pk).endsWith(since.id))
  expect(JSON.stringify(left)).not.toContain('555')
  expect((await client.get(`/api/customers/${again.id}`)).json.data.customer.name).not.toBe('Back')
  expect(await reapplyErasures(table)).toEqual({ erased: 0, already: 3, absent: 1 })
})
