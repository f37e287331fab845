import { findApplication, forgetApplications } from '../../shared/store/authorisation.ts'
import { addApiKey, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
} from '../../tools/applications/applications.ts'
import { pass } from '../support/fault-proxy.ts'
import { serveWithFaults } from '../support/faulty-service.ts'

const proxy = serveWithFaults()

/** Delays the first such call of `work`, so that its caller retries. Returns a function that delivers the call. */
const held = async (call: string, work: () => Promise<unknown>): Promise<() => Promise<unknown>> => {
  let arrive: (() => Promise<unknown>) | undefined
  proxy.inject('*', {
    label: '*',
    calls: Number.POSITIVE_INFINITY,
    fault: (sent) => {
      if (arrive || !String(sent.request.headers['x-amz-target']).endsWith(call)) return pass(sent)
      arrive = sent.forward
      sent.request.socket.resetAndDestroy()
    },
  })
  await work()
  proxy.heal('*')
  expect(arrive).toBeDefined()
  return arrive!
}

const works = async (appId: string, apiKey: string): Promise<boolean> => {
  forgetApplications()
  return (await findApplication(appId, apiKey)) !== undefined
}

describe('a late attempt of an operator’s command', () => {
  it.each<[string, (appId: string) => ReturnType<typeof addApiKey>]>([
    ['create', () => createApplication('Late')],
    ['rotate', addApiKey],
  ])('does not restore a key revoked in the meantime: %s', async (_, make) => {
    const { app_id } = await createApplication('Early')
    let key = { app_id: '', api_key: '', key_id: '' }
    const arrive = await held('TransactWriteItems', async () => {
      key = await make(app_id)
    })
    expect(await works(key.app_id, key.api_key)).toBe(true)
    await revokeApiKey(key.app_id, key.key_id)
    await arrive()
    expect(await works(key.app_id, key.api_key)).toBe(false)
  })

  it.each(['PutItem', 'TransactWriteItems'])(
    'does not enable or disable an application that was changed back in the meantime: %s',
    async (call) => {
      const { app_id, api_key } = await createApplication('Late')
      const disable = await held(call, () => disableApplication(app_id))
      await enableApplication(app_id)
      await disable()
      expect(await works(app_id, api_key)).toBe(true)
      const second = await addApiKey(app_id)
      expect(await works(app_id, second.api_key)).toBe(true)
      await disableApplication(app_id)
      const enable = await held(call, () => enableApplication(app_id))
      await disableApplication(app_id)
      await enable()
      expect(await works(app_id, api_key)).toBe(false)
      await addApiKey(app_id)
      expect(await works(app_id, api_key)).toBe(false)
    },
  )
})

it.each([
  ['disable', disableApplication],
  ['enable', enableApplication],
])('a command that is overtaken by another, here %s, asks the operator to run it again', async (_, other) => {
  const { app_id } = await createApplication('Overtaken')
  proxy.inject(app_id, {
    label: 'PutItem',
    calls: 1,
    fault: async (call) => {
      await other(app_id)
      return pass(call)
    },
  })
  await expect(enableApplication(app_id)).rejects.toThrow(/^another command .* run this one again$/)
  expect(await enableApplication(app_id)).toMatchObject({ disabled: null })
})
