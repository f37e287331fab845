import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { Clock } from '../../shared/clock.ts'
import { ApiError } from '../../shared/errors.ts'
import { findApplication } from '../../shared/http/authenticate.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { applicationKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { currentService, dynamodb, tableName } from '../../shared/store/service.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import { NotFound, readApiKeys, readApplication } from '../../tools/applications/application-records.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  listApplications,
  scaleApplication,
} from '../../tools/applications/applications.ts'
import { type ApplicationItem, newApiKeyItem } from '../../tools/applications/items.ts'
import { putNewRecord, writeTogether } from '../../tools/applications/record-writes.ts'
import { retryWhileBusy } from '../../tools/applications/retry.ts'
import { setClock } from '../support/clock.ts'
import { databaseCallsOf } from '../support/database/database-calls.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { range } from '../support/range.ts'
import { serveForTests } from '../support/requests/service.ts'

serveForTests()
afterEach(() => setClock())

const defaultState = { removing: null, shards: 1, shards_written: 1 }
const setDay = (number: number): void => setClock(() => Date.UTC(2024, 0, number))
const dayText = (number: number): string => `2024-01-0${number}T00:00:00.000Z`

it('lists applications oldest first, with id, name, time of creation, time of disabling, and shards', async () => {
  setDay(1)
  const { app_id: first } = await createApplication('First')
  setDay(2)
  const { app_id: second } = await createApplication('Second')
  await disableApplication(first)
  expect(await listApplications()).toEqual([
    { app_id: first, name: 'First', created: dayText(1), disabled: dayText(2), ...defaultState },
    { app_id: second, name: 'Second', created: dayText(2), disabled: null, ...defaultState },
  ])
})

it('looks up an application only by its id, not by a key', async () => {
  const key = newApiKey()
  const calls = await databaseCallsOf(() => expect(readApplication(key)).rejects.toThrow(NotFound))
  expect(calls).toEqual([])
})

it('keeps the time at which an application was first disabled, until it is enabled', async () => {
  setDay(1)
  const { app_id } = await createApplication('Switched')
  const description = { app_id, name: 'Switched', created: dayText(1), ...defaultState }
  for (const number of [2, 3]) {
    setDay(number)
    expect(await disableApplication(app_id)).toEqual({ ...description, disabled: dayText(2) })
  }
  for (const _ of range(2))
    expect(await enableApplication(app_id)).toEqual({ ...description, disabled: null })
  const calls = await databaseCallsOf(() => enableApplication(app_id))
  expect(calls.flatMap(({ input }) => input.TransactItems ?? [])).toEqual([{ Put: expect.anything() }])
  expect(await disableApplication(app_id)).toMatchObject({ disabled: dayText(3) })
})

const createWithKeys = async (count: number): Promise<string> => {
  const { app_id } = await createApplication('Many keys')
  const application = await readApplication(app_id)
  for (let created = 1; created < count; created += 50)
    await writeTogether(
      range(Math.min(50, count - created)).map(() =>
        putNewRecord(newApiKeyItem(application, newApiKey(), { now: Date.now(), lifetime: undefined })),
      ),
    )
  return app_id
}
const keyCounts = async (appId: string): Promise<{ disabled: number; enabled: number }> => {
  const keys = await readApiKeys(appId)
  const disabled = keys.filter((key) => key.disabled).length
  return { disabled, enabled: keys.length - disabled }
}

it.each([
  ['disables', disableApplication],
  ['enables', enableApplication],
  ['adds a key to', addApiKey],
])('%s an application with 99 keys in one transaction, wherever it is killed', async (_, command) => {
  const appId = await createWithKeys(99)
  for (let kill = 1, isKilled = true; isKilled; kill += 1) {
    if (command === enableApplication) await disableApplication(appId)
    let writes = 0
    interceptCalls(async ({ command: name }, proceed) => {
      if (!/Write|Put|Update/.test(name)) return proceed()
      writes += 1
      // Killed before a write by the odd numbers, and before its response by the even ones.
      if (writes === (kill + 1) / 2) throw new Error('killed')
      const response = await proceed()
      if (writes === kill / 2) throw new Error('killed')
      return response
    })
    isKilled = await command(appId).then(
      () => false,
      ({ message }) => message === 'killed',
    )
    stopIntercepting()
    const { disabled } = (await readApplication(appId)).data
    expect((await keyCounts(appId))[disabled ? 'enabled' : 'disabled']).toBe(0)
  }
})

it('changes 99 keys together, reports how many are left, and continues when it is run again', async () => {
  const appId = await createWithKeys(231)
  for (const command of [disableApplication, enableApplication]) {
    for (const left of [132, 33]) {
      const message = `keys of application ${appId} that are not yet changed: ${left}; run the command again`
      await expect(command(appId)).rejects.toThrow(message)
      const changed = 231 - left
      expect(await keyCounts(appId)).toEqual(
        command === disableApplication
          ? { disabled: changed, enabled: left }
          : { disabled: left, enabled: changed },
      )
    }
    await command(appId)
    const changedCount = command === disableApplication ? 'disabled' : 'enabled'
    expect((await keyCounts(appId))[changedCount]).toBe(231)
  }
})

const spreadsOf = async (appId: string) => (await readApiKeys(appId)).map(({ spread }) => spread)
const createWithTwoKeys = async (): Promise<string> => {
  const { app_id } = await createApplication('Growing')
  await addApiKey(app_id)
  return app_id
}
const readingEight = { shards: 8, before: 1 }
const writingEight = { shards: 8, before: 8 }

it('reads the new shards of a scaled application at once and writes to them 90 s later, whatever the clocks show', async () => {
  const appId = await createWithTwoKeys()
  const waits: number[] = []
  setClock(() => 0)
  const scaled = await scaleApplication(appId, 8, async (millis) => {
    waits.push(millis)
    await addApiKey(appId)
    expect(await spreadsOf(appId)).toEqual([readingEight, readingEight, readingEight])
    expect(await listApplications()).toContainEqual(
      expect.objectContaining({ app_id: appId, shards: 8, shards_written: 1 }),
    )
  })
  expect(waits).toEqual([90_000])
  expect(scaled).toMatchObject({ shards: 8, shards_written: 8 })
  const fewer = scaleApplication(appId, 7, () => Promise.resolve())
  await expect(fewer).rejects.toThrow(`application ${appId} has 8 shards; it cannot have fewer`)
  const added = await addApiKey(appId)
  expect(await spreadsOf(appId)).toEqual([writingEight, writingEight, writingEight, writingEight])
  expect((await findApplication(appId, added.api_key))?.spread).toEqual(writingEight)
})

it.each<[string, (appId: string) => Promise<unknown>, RegExp]>([
  ['was interrupted', () => Promise.reject(new Error('interrupted')), /^interrupted$/],
  ['met another command', disableApplication, /run this one again$/],
])('waits again when a scaling that %s is repeated', async (_, meanwhile, message) => {
  const appId = await createWithTwoKeys()
  const failing = scaleApplication(appId, 8, () => meanwhile(appId))
  await expect(failing).rejects.toThrow(message)
  expect(await spreadsOf(appId)).toEqual([readingEight, readingEight])
  const waits: number[] = []
  await scaleApplication(appId, 8, async (millis) => waits.push(millis))
  await scaleApplication(appId, 8, async (millis) => waits.push(millis))
  expect(waits).toEqual([90_000])
  expect(await spreadsOf(appId)).toEqual([writingEight, writingEight])
})

const putItem = (Item: object) => dynamodb().send(new PutCommand({ TableName: tableName(), Item }))
const byAnotherVersion = 'another version wrote it; use the commands of that version'

it.each<[string, (record: ApplicationItem) => object, string]>([
  ['without an attribute', ({ revision: _, ...record }) => record, 'no "revision"'],
  ['with a new one', (record) => ({ ...record, frozen: true }), 'an unknown "frozen"'],
  ['with a new one inside', (record) => ({ ...record, data: { ...record.data, plan: 1 } }), '"data.plan"'],
])(
  'refuses a record that another version wrote and leaves it as it is: %s',
  async (_, change, difference) => {
    const { app_id } = await createApplication('Foreign')
    const Item = change(await readApplication(app_id))
    await putItem(Item)
    for (const command of [disableApplication, enableApplication, addApiKey, listApiKeys]) {
      const refused = command(app_id)
      await expect(refused).rejects.toThrow(`a record of application ${app_id} has`)
      await expect(refused).rejects.toThrow(`${difference}: ${byAnotherVersion}`)
    }
    expect(await getItem(applicationKey(app_id))).toEqual(Item)
  },
)

it('refuses a key that another version wrote, before anything is changed', async () => {
  const { app_id, api_key } = await createApplication('Foreign')
  const [key] = await readApiKeys(app_id)
  await putItem({ ...key, scopes: [] })
  for (const command of [listApiKeys, disableApplication, () => findApiKey(api_key)])
    await expect(command(app_id)).rejects.toThrow(
      `application ${app_id} has an unknown "scopes": ${byAnotherVersion}`,
    )
  expect((await readApplication(app_id)).data.disabled).toBeUndefined()
})

it('reports an unknown application, and an unknown key of an application, by its id', async () => {
  const revoke = (appId: string) => revokeApiKey(appId, 'key_none')
  for (const command of [addApiKey, listApiKeys, revoke, disableApplication, enableApplication])
    await expect(command('app_nobody')).rejects.toThrow(
      new NotFound('no application has the id "app_nobody"; "apps list" shows them'),
    )
  const { app_id } = await createApplication('Keyless')
  await expect(revoke(app_id)).rejects.toThrow('has no key "key_none"')
})

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

const busy = new ApiError('unavailable', 'Later.')

it.each<[string, unknown[], unknown]>([
  ['succeeds at once', [1], 1],
  ['is retried while the table is busy', [busy, busy, 3], 3],
  ['fails if the table stays busy', [busy, busy, busy, 4], busy],
  ['is not retried after another error', [new ApiError('invalid', 'x'), 2], new ApiError('invalid', 'x')],
])('a long operation %s', async (_, results, outcome) => {
  const work = async () => {
    const result = results.shift()
    if (result instanceof Error) throw result
    return result
  }
  expect(await retryWhileBusy(work, [1, 1]).catch((error: unknown) => error)).toEqual(outcome)
})
