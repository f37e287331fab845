import { serverIdFor } from '../../../shared/ids.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { PredictedEntities } from '../../../tools/transfer/import/predicted-entities.ts'
import type { Service } from '../../../tools/transfer/import/service.ts'
import { openRunDatabase } from '../../../tools/transfer/run-database.ts'

it('keeps what another row has predicted while an entity is read', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<undefined>()
  const service = { find: () => response } as unknown as Service
  const entities = new PredictedEntities(service, await openRunDatabase())
  const id = serverIdFor('app', customer.prefix, '1')
  const read = entities.read(id)
  const predicted = { externalId: '1', content: {} }
  entities.set(id, predicted)
  respond(undefined)
  expect(await read).toEqual(predicted)
  expect(await entities.read(id)).toEqual(predicted)
})
