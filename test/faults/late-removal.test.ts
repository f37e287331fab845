import { forgetApplications } from '../../shared/store/authorisation.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { createApplication, listApplications } from '../../tools/applications/applications.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { dumpTable } from '../support/dump-table.ts'
import { pass } from '../support/fault-proxy.ts'
import { serveWithFaults } from '../support/faulty-service.ts'
import { clientOf, newClient } from '../support/service.ts'
import { grow } from '../support/shards.ts'

const proxy = serveWithFaults()

type Credentials = Awaited<ReturnType<typeof createApplication>>
type Arrival = () => Promise<unknown>

/** Holds the first attempt of each create and each key of `work`, so that they are tried again. Returns the attempts. */
const held = async (work: () => Promise<unknown>): Promise<Arrival[]> => {
  const arrivals = new Map<string, Arrival>()
  proxy.inject('*', {
    label: '*',
    calls: Number.POSITIVE_INFINITY,
    fault: (sent) => {
      // Each attempt of a transaction has a token of its own.
      const call = sent.body.toString().replace(/"ClientRequestToken":"[^"]*"/, '')
      const isPut = /PutItem|TransactWriteItems/.test(String(sent.request.headers['x-amz-target']))
      if (!isPut || arrivals.has(call)) return pass(sent)
      arrivals.set(call, sent.forward)
      sent.request.socket.resetAndDestroy()
    },
  })
  await work()
  proxy.heal('*')
  return [...arrivals.values()]
}

const itemsOf = async (appId: string) =>
  (JSON.parse(await dumpTable()) as { pk: { S: string } }[]).filter(({ pk }) => pk.S.startsWith(appId))

describe('attempts that arrive after the deletion', () => {
  // The time of a removal passes only in `wait`. AWS accepts a request for five minutes after it was signed, and the last
  // one is signed 66 s after the beginning.
  it.each([80_000, 200_000, 365_000])(
    'bring back nothing of a removed application if they arrive %i ms after its beginning',
    async (arrival) => {
      let made: Credentials | undefined
      let second: Credentials | undefined
      const attempts = await held(async () => {
        made = await createApplication('Delayed')
        second = await addApiKey(made.app_id)
        const client = clientOf(second)
        await grow(client, 4)
        const { id } = await client.create('/api/customers', customerBody())
        await client.create('/api/invoices', invoiceBody({ customer_id: id }))
      })
      // The application, the key, the scaling twice with its keys, the customer, and the invoice with its subscription.
      expect(attempts).toHaveLength(8)
      const { app_id } = made!
      let waited = 0
      const wait = async (millis: number) => {
        if (waited <= arrival && arrival < waited + millis) for (const arrive of attempts) await arrive()
        waited += millis
      }
      await removeApplication(app_id, { keepApplication: false, tell: () => undefined, wait })
      expect(waited).toBeGreaterThan(arrival)
      const tombstone = [expect.objectContaining({ sk: { S: 'APP' }, removed: expect.anything() })]
      expect(await itemsOf(app_id)).toEqual(tombstone)
      expect((await listApplications()).map((each) => each.app_id)).not.toContain(app_id)
      forgetApplications()
      for (const credentials of [made!, second!])
        expect((await clientOf(credentials).get('/api/customers')).status).toBe(401)
    },
  )

  it('of commands write no key and no application, however late they arrive', async () => {
    let appId = ''
    const attempts = await held(async () => {
      appId = (await createApplication('Delayed')).app_id
      await addApiKey(appId)
    })
    const removal = { keepApplication: false, tell: () => undefined, wait: async () => undefined }
    await removeApplication(appId, removal)
    for (const arrive of attempts) await arrive()
    expect([attempts.length, (await itemsOf(appId)).length]).toEqual([2, 1])
  })

  it('restore nothing of an emptied application, whose clients continue to work', async () => {
    const client = await newClient()
    const attempts = await held(() => client.create('/api/customers', customerBody({ id: 'late' })))
    let waited = 0
    const wait = async (millis: number) => {
      waited += millis
      if (waited === 350_000) for (const arrive of attempts) await arrive()
    }
    const { app_id } = client.credentials
    await removeApplication(app_id, { keepApplication: true, tell: () => undefined, wait })
    forgetApplications()
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
    expect(await client.create('/api/customers', customerBody({ id: 'late' }))).toMatchObject({})
  })
})
