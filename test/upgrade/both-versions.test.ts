import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { setClock } from '../../shared/clock.ts'
import { config } from '../../shared/config.ts'
import { ApiError } from '../../shared/errors.ts'
import { customer } from '../../shared/resources/customer.ts'
import { entityOf, type Item } from '../../shared/store/items.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { customerBody } from '../support/bodies.ts'
import { setMinutesAhead } from '../support/clocks.ts'
import { newCustomerRace } from '../support/customer-race.ts'
import { carryOut, expectLinearizable } from '../support/linearizable.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { putAs020 } from './released-writes.ts'

serveForTests()
afterEach(() => setClock())

/** The response of 0.2.0 was 503 too, and the write may have been made. */
const ifUnavailable = (error: unknown): undefined => {
  if (!(error instanceof ApiError && error.kind === 'unavailable')) throw error
}

it('functions of this version and of 0.2.0 on one table lose no acknowledged update or erasure', async () => {
  setMinutesAhead(() => [-10, 0, 10][Math.floor(Math.random() * 3)]!)
  const client = await newClient()
  await inParallel(
    upTo(runs(30, 1_200)),
    async (number) => {
      const putAsEither: typeof client.put = async (path, body?: object) => {
        if (Math.random() < 0.5) return client.put(path, body)
        const item = await putAs020(client.credentials.app_id, path.split('/').at(-1)!, body).catch(
          ifUnavailable,
        )
        if (!item) return { status: 503, json: {} } as never
        const { id, content } = entityOf(customer, item)
        return { status: 200, json: { data: { customer: { id, ...content } } } } as never
      }
      const racing = { ...client, put: putAsEither }
      const { start, race, afterwards } = await newCustomerRace(racing, `n${number}`)
      const events = await Promise.all(race.map(carryOut))
      for (const operation of afterwards) events.push(await carryOut(operation))
      expectLinearizable(start, events)
    },
    4,
  )
})

it('keeps the attributes that another version has stored, after an update and after an erasure', async () => {
  const client = await newClient()
  const { id } = await client.create('/api/customers', customerBody({ id: 'me', phone: '1' }))
  const stored = async () => (await getItem<Item>(entityKey(client.credentials.app_id, id)))!
  const item = await stored()
  const later = { loyalty: { tier: 'gold' }, visits: new Set([1, 2]) }
  const Item = { ...item, later, data: { ...item.data, later }, extra: { ...item.extra, later } }
  await send(new PutCommand({ TableName: config().table, Item }))
  for (const body of [{ id: 'me', name: 'New' }, undefined, { id: 'me', phone: '2' }]) {
    expect((await client.put('/api/customers/me', body)).status).toBe(200)
    expect(await stored()).toMatchObject({ later, data: { later }, extra: { later } })
  }
})
