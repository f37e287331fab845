import type { Credentials } from '../../shared/store/credentials.ts'
import { addApiKey, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
} from '../../tools/applications/applications.ts'
import { setClock } from '../support/clock.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { productBody } from '../support/requests/bodies.ts'
import { clientOf, serveForTests } from '../support/requests/service.ts'

serveForTests()
afterEach(() => setClock())

const statusWith = async ({ app_id, api_key }: Credentials) =>
  (await clientOf({ app_id, api_key }).get('/api/products')).status
/** Advances both clocks, so that cached keys expire. */
const later = (millis = 60_001) => {
  const start = Date.now()
  setClock(() => start + millis)
}

it('accepts several keys of an application, each until 60 seconds after its revocation at most', async () => {
  const first = await createApplication('Rotating')
  const second = await addApiKey(first.app_id)
  await clientOf(first).create('/api/products', productBody({ id: 'p' }))
  expect((await clientOf(second).get('/api/products/p')).status).toBe(200)
  await revokeApiKey(first.app_id, first.key_id)
  later()
  expect(await statusWith(first)).toBe(401)
  expect(await statusWith(second)).toBe(200)
  // Also when it is looked up again.
  later(120_002)
  expect(await statusWith(first)).toBe(401)
  expect((await clientOf(second).get('/api/products/p')).status).toBe(200)
})

it.each<[string, number, number]>([
  ['the wall clock was put back', -3_600_000, 60_001],
  ['the wall clock stands still, as in a test double', 0, 60_001],
  ['the monotonic clock stood still, as while a function is frozen', 60_001, 0],
])('refuses a key within 60 seconds of its revocation although %s', async (_, wall, monotonic) => {
  const start = Date.now()
  setClock(() => start)
  const key = await createApplication('Clocks')
  expect(await statusWith(key)).toBe(200)
  await revokeApiKey(key.app_id, key.key_id)
  const real = performance.now.bind(performance)
  const elapsed = jest.spyOn(performance, 'now').mockImplementation(() => real() + monotonic)
  setClock(() => start + wall)
  expect(await statusWith(key)).toBe(401)
  elapsed.mockRestore()
})

it('counts the 60 seconds of a key from the beginning of its look-up, since it may be revoked before the response arrives', async () => {
  const start = Date.now()
  setClock(() => start)
  const key = await createApplication('Slow')
  interceptCalls(async ({ input }, proceed) => {
    const output = await proceed()
    // The key is revoked after it was read, and its record arrives half a minute later.
    if (input.Key?.sk?.startsWith('KEY#')) {
      stopIntercepting()
      await revokeApiKey(key.app_id, key.key_id)
      setClock(() => start + 30_000)
    }
    return output
  })
  expect(await statusWith(key)).toBe(200)
  setClock(() => start + 60_001)
  expect(await statusWith(key)).toBe(401)
})

it.each<[string, (lifetime: number) => Promise<Credentials>]>([
  ['its application', (lifetime) => createApplication('Brief', { lifetime })],
  ['rotation', async (lifetime) => addApiKey((await createApplication('Brief')).app_id, { lifetime })],
])('refuses a key made by %s from its expiry on, even if it was looked up just before', async (_, make) => {
  const start = Date.now()
  setClock(() => start)
  const key = await make(10_000)
  for (const [millis, status] of [
    [9_999, 200],
    [10_000, 401],
    [70_001, 401],
  ] as const) {
    setClock(() => start + millis)
    expect({ millis, value: await statusWith(key) }).toEqual({ millis, value: status })
  }
})

it('refuses the keys of a disabled application within 60 seconds, and accepts them again once it is enabled', async () => {
  const first = await createApplication('Switched')
  const [second, revoked] = [await addApiKey(first.app_id), await addApiKey(first.app_id)]
  await revokeApiKey(first.app_id, revoked.key_id)
  expect(await statusWith(first)).toBe(200)
  expect(await statusWith(second)).toBe(200)
  await disableApplication(first.app_id)
  const third = await addApiKey(first.app_id)
  later()
  const keys = [first, second, third, revoked]
  expect(await Promise.all(keys.map(statusWith))).toEqual([401, 401, 401, 401])
  await enableApplication(first.app_id)
  expect(await Promise.all(keys.map(statusWith))).toEqual([200, 200, 200, 401])
})
