import { findApplication } from '../../shared/http/authenticate.ts'
import { currentService } from '../../shared/store/service.ts'
import { addApiKey, listApiKeys, type NewApiKey, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  listApplications,
} from '../../tools/applications/applications.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { storedItems } from '../support/database/dump-table.ts'
import { passThrough, serveWithFaults } from '../support/database/fault-proxy.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { clientOf, newClient } from '../support/requests/service.ts'
import { immediateRemoval } from '../support/stack/removals.ts'

const proxy = serveWithFaults()

/** Calling it lets the attempt arrive at the database. */
type HeldAttempt = () => Promise<unknown>

/** Holds back the first attempt of each write, which `work` retries. */
const holdFirstAttempts = async (work: () => Promise<unknown>): Promise<HeldAttempt[]> => {
  const held = new Map<string, HeldAttempt>()
  proxy.inject('*', {
    label: '*',
    calls: Number.POSITIVE_INFINITY,
    fault: (sent) => {
      // Each attempt of a transaction has a token of its own.
      const call = sent.body.toString().replace(/"ClientRequestToken":"[^"]*"/, '')
      const isWrite = /PutItem|TransactWriteItems/.test(String(sent.request.headers['x-amz-target']))
      if (!isWrite || held.has(call)) return passThrough(sent)
      held.set(call, sent.forward)
      sent.request.socket.resetAndDestroy()
    },
  })
  await work()
  proxy.heal('*')
  return [...held.values()]
}

const letArrive = async (attempts: readonly HeldAttempt[]): Promise<void> => {
  for (const arrive of attempts) await arrive()
}

/** According to the database. */
const isAccepted = async (appId: string, apiKey: string): Promise<boolean> => {
  currentService().keyCache.clear()
  return (await findApplication(appId, apiKey)) !== undefined
}

it.each<[string, (appId: string) => Promise<NewApiKey>]>([
  ['create', () => createApplication('Late')],
  ['rotate', addApiKey],
])('a late attempt of %s does not restore a key that was revoked in the meantime', async (_, make) => {
  const { app_id } = await createApplication('Early')
  let key = { app_id: '', api_key: '', key_id: '' }
  const attempts = await holdFirstAttempts(async () => {
    key = await make(app_id)
  })
  expect(attempts).toHaveLength(1)
  expect(await isAccepted(key.app_id, key.api_key)).toBe(true)
  await revokeApiKey(key.app_id, key.key_id)
  await letArrive(attempts)
  expect(await isAccepted(key.app_id, key.api_key)).toBe(false)
})

it.each<[string, (appId: string) => Promise<unknown>]>([
  ['disable', disableApplication],
  ['enable', enableApplication],
  ['rotate', addApiKey],
])('a command that %s overtakes asks the operator to run it again', async (_, other) => {
  const { app_id } = await createApplication('Overtaken')
  proxy.inject(app_id, {
    label: 'TransactWriteItems',
    calls: 1,
    fault: async (call) => {
      await other(app_id)
      return passThrough(call)
    },
  })
  await expect(enableApplication(app_id)).rejects.toThrow(/^another command .* run this one again$/)
  expect(await enableApplication(app_id)).toMatchObject({ disabled: null })
})

const lostAcknowledgement = wireFault('reset after commit')

it('a lost acknowledgement of create or rotate leaves one application and one key for each, which are accepted', async () => {
  proxy.inject('*', { label: 'TransactWriteItems', fault: lostAcknowledgement, calls: 1 })
  const credentials = await createApplication('Lost')
  expect(proxy.heal('*')).toBe(1)
  proxy.inject('*', { label: 'TransactWriteItems', fault: lostAcknowledgement, calls: 1 })
  const second = await addApiKey(credentials.app_id)
  expect(proxy.heal('*')).toBe(1)
  expect((await clientOf(credentials).get('/api/products')).status).toBe(200)
  expect((await clientOf(second).get('/api/products')).status).toBe(200)
  expect((await listApplications()).filter(({ name }) => name === 'Lost')).toHaveLength(1)
  expect(await listApiKeys(credentials.app_id)).toHaveLength(2)
})

it('a lost acknowledgement of disable leaves a disabled application', async () => {
  const { app_id } = await createApplication('Lost')
  proxy.inject(app_id, { label: 'TransactWriteItems', fault: lostAcknowledgement, calls: 1 })
  expect(await disableApplication(app_id)).toMatchObject({ disabled: expect.any(String) })
  expect(proxy.heal(app_id)).toBe(1)
})

// In these tests, time passes only while a removal waits. AWS accepts a request for five minutes after it was
// signed, and the last request is signed 66 s after the beginning.
it.each([80_000, 200_000, 365_000])(
  'attempts that arrive %i ms after the beginning of a removal restore nothing of the application',
  async (arrival) => {
    let first: NewApiKey | undefined
    let second: NewApiKey | undefined
    const attempts = await holdFirstAttempts(async () => {
      first = await createApplication('Delayed')
      second = await addApiKey(first.app_id)
      const client = clientOf(second)
      await scaleAtOnce(client, 4)
      const { id } = await client.create('/api/customers', customerBody())
      await client.create('/api/invoices', invoiceBody({ customer_id: id }))
    })
    // The application, the key, the scaling twice, the customer, and the invoice with its subscription.
    expect(attempts).toHaveLength(6)
    const { app_id } = first!
    let waited = 0
    const wait = async (millis: number) => {
      if (waited <= arrival && arrival < waited + millis) await letArrive(attempts)
      waited += millis
    }
    await removeApplication(app_id, immediateRemoval({ wait }))
    expect(waited).toBeGreaterThan(arrival)
    const tombstone = [expect.objectContaining({ sk: { S: 'APP' }, removed: expect.anything() })]
    expect(await storedItems(app_id)).toEqual(tombstone)
    const listed = await listApplications()
    expect(listed.map((application) => application.app_id)).not.toContain(app_id)
    currentService().keyCache.clear()
    for (const credentials of [first!, second!])
      expect((await clientOf(credentials).get('/api/customers')).status).toBe(401)
  },
)

it('attempts of commands that arrive after a removal write no key and no application', async () => {
  let appId = ''
  const attempts = await holdFirstAttempts(async () => {
    appId = (await createApplication('Delayed')).app_id
    await addApiKey(appId)
  })
  await removeApplication(appId, immediateRemoval())
  await letArrive(attempts)
  expect(attempts).toHaveLength(2)
  expect(await storedItems(appId)).toHaveLength(1)
})

it('attempts that arrive after an application was emptied restore nothing, and its keys are still accepted', async () => {
  const client = await newClient()
  const attempts = await holdFirstAttempts(() =>
    client.create('/api/customers', customerBody({ id: 'late' })),
  )
  let waited = 0
  const wait = async (millis: number) => {
    waited += millis
    if (waited === 350_000) await letArrive(attempts)
  }
  const { app_id } = client.credentials
  await removeApplication(app_id, immediateRemoval({ keepApplication: true, wait }))
  currentService().keyCache.clear()
  expect((await client.get('/api/customers')).json.data.customers).toEqual([])
  expect(await client.create('/api/customers', customerBody({ id: 'late' }))).toMatchObject({})
})
