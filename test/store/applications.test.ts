import { setClock } from '../../shared/clock.ts'
import {
  addApiKey,
  createApplication,
  listApiKeys,
  listApplications,
  revokeApiKey,
  UnknownApplication,
} from '../../shared/store/applications.ts'
import { findApplication, forgetApplications } from '../../shared/store/authorisation.ts'
import { serveForTests } from '../support/service.ts'

serveForTests()
afterEach(() => setClock())

const isGood = async (appId: string, apiKey: string): Promise<boolean> => {
  forgetApplications()
  return (await findApplication(appId, apiKey)) !== undefined
}

describe('applications and their keys', () => {
  it('are listed oldest first, by id, name and time alone', async () => {
    setClock(() => Date.UTC(2024, 0, 1))
    const first = await createApplication('First')
    setClock(() => Date.UTC(2024, 0, 2))
    const second = await createApplication('Second')
    expect(await listApplications()).toEqual([
      { app_id: first.app_id, name: 'First', created: '2024-01-01T00:00:00.000Z' },
      { app_id: second.app_id, name: 'Second', created: '2024-01-02T00:00:00.000Z' },
    ])
  })

  it('get a further key, while the earlier one goes on working', async () => {
    const { app_id, api_key } = await createApplication('Rotated')
    const added = await addApiKey(app_id)
    expect(added).toEqual({ app_id, api_key: expect.stringMatching(/^bdk_/) })
    expect(added.api_key).not.toBe(api_key)
    expect(await isGood(app_id, api_key)).toBe(true)
    expect(await isGood(app_id, added.api_key)).toBe(true)
    // Both make the same cursors: the secret is the application's, not the key's.
    const secrets = [api_key, added.api_key].map(
      async (key) => (await findApplication(app_id, key))?.cursorSecret,
    )
    expect(new Set(await Promise.all(secrets)).size).toBe(1)
  })

  it('show keys oldest first, by id, time and last characters', async () => {
    setClock(() => Date.UTC(2024, 0, 1))
    const first = await createApplication('Keys')
    setClock(() => Date.UTC(2024, 0, 2))
    const second = await addApiKey(first.app_id)
    const shown = ({ api_key }: { api_key: string }, created: string) => ({
      key_id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      created,
      ends_with: api_key.slice(-4),
      revoked: null,
    })
    expect(await listApiKeys(first.app_id)).toEqual([
      shown(first, '2024-01-01T00:00:00.000Z'),
      shown(second, '2024-01-02T00:00:00.000Z'),
    ])
  })

  it('lose one key by revocation, at the time of the first, however often it is revoked', async () => {
    setClock(() => Date.UTC(2024, 0, 1))
    const { app_id, api_key } = await createApplication('Revoked')
    setClock(() => Date.UTC(2024, 0, 2))
    const other = await addApiKey(app_id)
    const [oldest] = await listApiKeys(app_id)
    const revoked = oldest!.key_id
    setClock(() => Date.UTC(2030, 0, 1))
    const told = await revokeApiKey(app_id, revoked)
    expect(told).toMatchObject({ key_id: revoked, revoked: '2030-01-01T00:00:00.000Z' })
    setClock(() => Date.UTC(2031, 0, 1))
    expect(await revokeApiKey(app_id, revoked)).toEqual(told)
    expect(await isGood(app_id, api_key)).toBe(false)
    expect(await isGood(app_id, other.api_key)).toBe(true)
  })

  it.each([
    ['addApiKey', () => addApiKey('app_nobody'), 'app_nobody'],
    ['listApiKeys', () => listApiKeys('app_nobody'), 'app_nobody'],
    ['revokeApiKey', () => revokeApiKey('app_nobody', 'key_x'), 'app_nobody'],
  ])('that do not exist are named by %s', async (_, work, id) => {
    await expect(work()).rejects.toThrow(UnknownApplication)
    await expect(work()).rejects.toThrow(`no application has the id "${id}"`)
  })

  it('name a key that they do not have', async () => {
    const { app_id } = await createApplication('Keyless')
    await expect(revokeApiKey(app_id, 'key_none')).rejects.toThrow('has no key "key_none"')
  })
})
