import { createClient } from '../../client/index.ts'
import { cleanUp, freeSettings, startLocal } from '../support/local-process.ts'

afterAll(cleanUp)

it('npm start -- --scenario creates the scenario, and keeps what exists at the next start', async () => {
  const env = await freeSettings()
  const start = async () => {
    const { baseUrl, demo, child, ended, out } = await startLocal(env, ['--scenario'])
    const { customers } = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
    const stop = async () => {
      child.kill()
      expect(await ended).toMatchObject({ code: 0, err: '' })
    }
    return { customers, stop, logged: () => out().match(/^\{/gm)?.length }
  }
  const first = await start()
  await first.customers.anonymise('customer-3')
  const { items } = await first.customers.list({ limit: 100 })
  expect(items).toHaveLength(24)
  await first.stop()
  const second = await start()
  expect((await second.customers.list({ limit: 100 })).items).toEqual(items)
  // The only line in the log; the requests of the scenario are not logged.
  expect(second.logged()).toBe(1)
  await second.stop()
})
