import type { Credentials } from '../../shared/store/credentials.ts'
import { CACHE_MILLIS } from '../../shared/store/service.ts'
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
const CACHE_IS_OVER = CACHE_MILLIS + 1
/** So that cached keys expire. */
const expireCachedKeys = (millis = CACHE_IS_OVER) => {
  const start = Date.now()
  setClock(() => start + millis)
}

it('accepts several keys of an application, each for at most 60 seconds after its revocation', async () => {
  const first = await createApplication('Rotating')
  const second = await addApiKey(first.app_id)
  await clientOf(first).create('/api/products', productBody({ id: 'p' }))
  expect((await clientOf(second).get('/api/products/p')).status).toBe(200)
  await revokeApiKey(first.app_id, first.key_id)
  expireCachedKeys()
  expect(await statusWith(first)).toBe(401)
  expect(await statusWith(second)).toBe(200)
  // The refused key is looked up again, and is refused again.
  expireCachedKeys(2 * CACHE_IS_OVER)
  expect(await statusWith(first)).toBe(401)
  expect((await clientOf(second).get('/api/products/p')).status).toBe(200)
})

it.each<[string, number, number]>([
  ['the wall clock was set back', -3_600_000, CACHE_IS_OVER],
  ['the wall clock stands still, as in a test double', 0, CACHE_IS_OVER],
  ['the monotonic clock stood still, as while a function is frozen', CACHE_IS_OVER, 0],
])('refuses a key within 60 seconds of its revocation although %s', async (_, wall, monotonic) => {
  const start = Date.now()
  setClock(() => start)
  const key = await createApplication('Clocks')
  expect(await statusWith(key)).toBe(200)
  await revokeApiKey(key.app_id, key.key_id)
  const now = performance.now.bind(performance)
  const monotonicClock = jest.spyOn(performance, 'now').mockImplementation(() => now() + monotonic)
  setClock(() => start + wall)
  expect(await statusWith(key)).toBe(401)
  monotonicClock.mockRestore()
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
  setClock(() => start + CACHE_IS_OVER)
  expect(await statusWith(key)).toBe(401)
})

it.each<[string, (lifetime: number) => Promise<Credentials>]>([
  ['its application', (lifetime) => createApplication('Brief', { lifetime })],
  ['a rotation', async (lifetime) => addApiKey((await createApplication('Brief')).app_id, { lifetime })],
])('refuses a key made with %s from its expiry on, even if it was looked up just before', async (_, make) => {
  const start = Date.now()
  setClock(() => start)
  const key = await make(10_000)
  const statusAfter = (millis: number) => {
    setClock(() => start + millis)
    return statusWith(key)
  }
  expect(await statusAfter(9_999)).toBe(200)
  expect(await statusAfter(10_000)).toBe(401)
  expect(await statusAfter(10_000 + CACHE_IS_OVER)).toBe(401)
})

it('refuses the keys of a disabled application within 60 seconds, and accepts them again once it is enabled', async () => {
  const first = await createApplication('Switched')
  const second = await addApiKey(first.app_id)
  const revoked = await addApiKey(first.app_id)
  await revokeApiKey(first.app_id, revoked.key_id)
  expect(await statusWith(first)).toBe(200)
  expect(await statusWith(second)).toBe(200)
  await disableApplication(first.app_id)
  const third = await addApiKey(first.app_id)
  expireCachedKeys()
  const keys = [first, second, third, revoked]
  expect(await Promise.all(keys.map(statusWith))).toEqual([401, 401, 401, 401])
  await enableApplication(first.app_id)
  expect(await Promise.all(keys.map(statusWith))).toEqual([200, 200, 200, 401])
})
