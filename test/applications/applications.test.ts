import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { findApplication } from '../../shared/store/authorisation.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { applicationKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { dynamodb, tableName } from '../../shared/store/service.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import { NotFound, readApiKeys, readApplication } from '../../tools/applications/application-records.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  listApplications,
  scaleApplication,
} from '../../tools/applications/applications.ts'
import { newApiKeyItem } from '../../tools/applications/items.ts'
import { putNew, writeTogether } from '../../tools/applications/record-writes.ts'
import { setClock } from '../support/clock.ts'
import { databaseCallsOf } from '../support/database/database-calls.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { range } from '../support/range.ts'
import { serveForTests } from '../support/requests/service.ts'

serveForTests()
afterEach(() => setClock())

const unscaled = { removing: null, shards: 1, shards_written: 1 }
const day = (number: number): void => setClock(() => Date.UTC(2024, 0, number))
/** Returns the time of a day as responses show it. */
const at = (number: number): string => `2024-01-0${number}T00:00:00.000Z`

it('lists applications oldest first, with id, name, time of creation, time of disabling, and shards', async () => {
  day(1)
  const { app_id: first } = await createApplication('First')
  day(2)
  const { app_id: second } = await createApplication('Second')
  await disableApplication(first)
  expect(await listApplications()).toEqual([
    { app_id: first, name: 'First', created: at(1), disabled: at(2), ...unscaled },
    { app_id: second, name: 'Second', created: at(2), disabled: null, ...unscaled },
  ])
})

it('looks up an application only by its id, not by a key', async () => {
  const key = newApiKey()
  const calls = await databaseCallsOf(() => expect(readApplication(key)).rejects.toThrow(NotFound))
  expect(calls).toEqual([])
})

it('keeps the time at which an application was first disabled, until it is enabled', async () => {
  day(1)
  const { app_id } = await createApplication('Switched')
  const shown = { app_id, name: 'Switched', created: at(1), ...unscaled }
  for (const number of [2, 3]) {
    day(number)
    expect(await disableApplication(app_id)).toEqual({ ...shown, disabled: at(2) })
  }
  for (const _ of range(2)) expect(await enableApplication(app_id)).toEqual({ ...shown, disabled: null })
  const calls = await databaseCallsOf(() => enableApplication(app_id))
  expect(calls.flatMap(({ input }) => input.TransactItems ?? [])).toEqual([{ Put: expect.anything() }])
  expect(await disableApplication(app_id)).toMatchObject({ disabled: at(3) })
})

/** Creates an application with a number of keys. */
const withKeys = async (count: number): Promise<string> => {
  const { app_id } = await createApplication('Many keys')
  const application = await readApplication(app_id)
  for (let made = 1; made < count; made += 50)
    await writeTogether(
      range(Math.min(50, count - made)).map(() => putNew(newApiKeyItem(application, newApiKey(), undefined))),
    )
  return app_id
}
/** Returns how many keys of an application are disabled, and how many are not. */
const flags = async (appId: string): Promise<[number, number]> => {
  const disabled = (await readApiKeys(appId)).filter((key) => key.disabled).length
  return [disabled, (await readApiKeys(appId)).length - disabled]
}

it.each([
  ['disables', disableApplication],
  ['enables', enableApplication],
  ['adds a key to', addApiKey],
])('%s an application with 99 keys in one transaction, wherever it is killed', async (_, command) => {
  const appId = await withKeys(99)
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
    expect((await flags(appId))[disabled ? 1 : 0]).toBe(0)
  }
})

it('changes 99 keys together, reports how many are left, and continues when it is run again', async () => {
  const appId = await withKeys(231)
  for (const command of [disableApplication, enableApplication]) {
    for (const left of [132, 33]) {
      const message = `keys of application ${appId} that are not yet changed: ${left}; run the command again`
      await expect(command(appId)).rejects.toThrow(message)
      const changed = 231 - left
      expect(await flags(appId)).toEqual(command === disableApplication ? [changed, left] : [left, changed])
    }
    await command(appId)
    expect(await flags(appId)).toContain(231)
  }
})

// test/histories judges commands that interleave with each other and with requests.
const spreads = async (appId: string) => (await readApiKeys(appId)).map(({ spread }) => spread)
const growing = async (): Promise<string> => {
  const { app_id } = await createApplication('Growing')
  await addApiKey(app_id)
  return app_id
}
const [reading, writing] = [
  { shards: 8, before: 1 },
  { shards: 8, before: 8 },
]

it('reads the new shards of a scaled application at once and writes to them 90 s later, whatever the clocks show', async () => {
  const appId = await growing()
  const waits: number[] = []
  setClock(() => 0)
  const scaled = await scaleApplication(appId, 8, async (millis) => {
    waits.push(millis)
    await addApiKey(appId)
    expect(await spreads(appId)).toEqual([reading, reading, reading])
    expect(await listApplications()).toContainEqual(
      expect.objectContaining({ app_id: appId, shards: 8, shards_written: 1 }),
    )
  })
  expect(waits).toEqual([90_000])
  expect(scaled).toMatchObject({ shards: 8, shards_written: 8 })
  const fewer = scaleApplication(appId, 7, () => Promise.resolve())
  await expect(fewer).rejects.toThrow(`application ${appId} has 8 shards; it cannot have fewer`)
  const added = await addApiKey(appId)
  expect(await spreads(appId)).toEqual([writing, writing, writing, writing])
  expect((await findApplication(appId, added.api_key))?.spread).toEqual(writing)
})

it.each<[string, (appId: string) => Promise<unknown>, RegExp]>([
  ['was interrupted', () => Promise.reject(new Error('interrupted')), /^interrupted$/],
  ['met another command', disableApplication, /run this one again$/],
])('waits again when a scaling that %s is repeated', async (_, meanwhile, message) => {
  const appId = await growing()
  const failing = scaleApplication(appId, 8, () => meanwhile(appId))
  await expect(failing).rejects.toThrow(message)
  expect(await spreads(appId)).toEqual([reading, reading])
  const waits: number[] = []
  await scaleApplication(appId, 8, async (millis) => waits.push(millis))
  await scaleApplication(appId, 8, async (millis) => waits.push(millis))
  expect(waits).toEqual([90_000])
  expect(await spreads(appId)).toEqual([writing, writing])
})

const put = (Item: object) => dynamodb().send(new PutCommand({ TableName: tableName(), Item }))
const wrote = 'another version wrote it; use the commands of that version'

it.each<[string, (record: Record<string, object>) => object, string]>([
  ['without an attribute', ({ revision: _, ...record }) => record, 'no "revision"'],
  ['with a new one', (record) => ({ ...record, frozen: true }), 'an unknown "frozen"'],
  ['with a new one inside', (record) => ({ ...record, data: { ...record.data, plan: 1 } }), '"data.plan"'],
])('refuses a record that another version wrote and leaves it as it is: %s', async (_, change, misfit) => {
  const { app_id } = await createApplication('Foreign')
  const Item = change((await readApplication(app_id)) as never)
  await put(Item)
  for (const work of [disableApplication, enableApplication, addApiKey, listApiKeys]) {
    const refused = work(app_id)
    await expect(refused).rejects.toThrow(`a record of application ${app_id} has`)
    await expect(refused).rejects.toThrow(`${misfit}: ${wrote}`)
  }
  expect(await getItem(applicationKey(app_id))).toEqual(Item)
})

it('refuses a key that another version wrote, before anything is changed', async () => {
  const { app_id, api_key } = await createApplication('Foreign')
  const [key] = await readApiKeys(app_id)
  await put({ ...key, scopes: [] })
  for (const work of [listApiKeys, disableApplication, () => findApiKey(api_key)])
    await expect(work(app_id)).rejects.toThrow(`application ${app_id} has an unknown "scopes": ${wrote}`)
  expect((await readApplication(app_id)).data.disabled).toBeUndefined()
})

it('reports an unknown application, and an unknown key of an application, by its id', async () => {
  const revoke = (appId: string) => revokeApiKey(appId, 'key_none')
  for (const work of [addApiKey, listApiKeys, revoke, disableApplication, enableApplication])
    await expect(work('app_nobody')).rejects.toThrow(
      new NotFound('no application has the id "app_nobody"; "apps list" shows them'),
    )
  const { app_id } = await createApplication('Keyless')
  await expect(revoke(app_id)).rejects.toThrow('has no key "key_none"')
})
