import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Item } from '../../shared/store/items.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { tableName } from '../../shared/store/service.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

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
