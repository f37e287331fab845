import { Clock } from '../../shared/clock.ts'
import { findApplication } from '../../shared/http/authenticate.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { currentService } from '../../shared/store/service.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import { NotFound } from '../../tools/applications/application-records.ts'
import { createApplication, disableApplication } from '../../tools/applications/applications.ts'
import { setClock } from '../support/clock.ts'
import { serveForTests } from '../support/requests/service.ts'

serveForTests()
afterEach(() => setClock())

const setDay = (number: number): void => setClock(() => Date.UTC(2024, 0, number))
const dayText = (number: number): string => `2024-01-0${number}T00:00:00.000Z`

const keyDescription = (
  { key_id, api_key }: { key_id: string; api_key: string },
  created: string,
  expires: string | null = null,
) => ({ key_id, created, ends_with: api_key.slice(-4), read_only: false, expires, revoked: null })

it('lists keys oldest first, with id, times and last characters', async () => {
  setDay(1)
  const first = await createApplication('Keys')
  setDay(2)
  const second = await addApiKey(first.app_id, { lifetime: 3 * 86_400_000 })
  expect(second).toMatchObject({
    api_key: expect.stringMatching(/^bdk_/),
    key_id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
    expires: dayText(5),
  })
  expect(await listApiKeys(first.app_id)).toEqual([
    keyDescription(first, dayText(1)),
    keyDescription(second, dayText(2), dayText(5)),
  ])
})

it('lets all keys of an application make the same cursors', async () => {
  const { app_id, api_key } = await createApplication('Rotated')
  const added = await addApiKey(app_id)
  const secretOf = async (key: string) => (await findApplication(app_id, key))!.cursorSecret
  expect(await secretOf(added.api_key)).toBe(await secretOf(api_key))
})

it('expires a key on time even if the clock of this machine is wrong', async () => {
  const service = currentService()
  const { clock } = service
  service.clock = new Clock()
  const now = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => now + 7_200_000)
  const { expires } = await createApplication('Expiring', { lifetime: 3_600_000 })
  jest.restoreAllMocks()
  service.clock = clock
  expect(Math.abs(Date.parse(expires!) - now - 3_600_000)).toBeLessThan(60_000)
})

it('finds the application of a key', async () => {
  setDay(1)
  const first = await createApplication('Found')
  const second = await addApiKey(first.app_id)
  const description = {
    app_id: first.app_id,
    name: 'Found',
    disabled: null,
    ...keyDescription(second, dayText(1)),
  }
  expect(await findApiKey(second.api_key)).toEqual(description)
  await revokeApiKey(first.app_id, second.key_id)
  await disableApplication(first.app_id)
  expect(await findApiKey(second.api_key)).toEqual({
    ...description,
    disabled: dayText(1),
    revoked: dayText(1),
  })
  await expect(findApiKey(newApiKey())).rejects.toThrow(new NotFound('no application has this key'))
})
