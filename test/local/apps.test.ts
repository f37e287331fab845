import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { lockFolder } from '../../tools/local/data-folder.ts'
import { runApps } from '../../tools/operator/apps.ts'
import {
  freeSettings,
  killLocalProcesses,
  type LocalProcess,
  runToEnd,
  startLocalProcess,
} from '../support/processes/local-process.ts'
import { range } from '../support/range.ts'

/**
 * A module that runs a process's clock ten times as fast: progress is shown after half a second instead of
 * five.
 */
const fastClock =
  'data:text/javascript,const { now } = performance; performance.now = () => now.call(performance) * 10'

type Settings = Record<string, string>
const env = freeSettings()
let service: LocalProcess
beforeAll(async () => {
  // Commands learn the table from the service.
  service = await startLocalProcess({ ...env, TABLE_NAME: 'own' })
})
afterAll(killLocalProcesses)
// Commands in this process print which database they use.
beforeEach(() => jest.spyOn(process.stderr, 'write').mockReturnValue(true))
afterEach(() => jest.restoreAllMocks())

/** The engine of the service with these settings. */
const engineOf = ({ DATA_DIR = '' }: Settings): string =>
  JSON.parse(readFileSync(join(DATA_DIR, 'service.json'), 'utf8')).endpoint

/** Other programs can use its database. */
const openedService = async (): Promise<Settings> => {
  const settings = { ...freeSettings(), DYNAMODB_PORT: '0' }
  await startLocalProcess(settings)
  return settings
}

const runInOwnProcess = async (settings: Settings, line: string, input = '') => {
  const args = ['bin/apps.ts', ...line.split(' ')]
  const { code, out, err } = await runToEnd(process.execPath, args, settings, { input })
  const database =
    settings === env
      ? `the database of the service at ${service.baseUrl}`
      : `${settings.DATA_DIR}/billing.db, which no service uses now`
  expect({ code, err }).toEqual({ code: 0, err: `using ${database}\n` })
  return JSON.parse(out)
}
const runHere = async (settings: Settings, line: string) =>
  JSON.parse(await runApps(line.split(' '), settings))
const statusAt = async ({ baseUrl }: LocalProcess, { app_id, api_key }: Record<string, string>) => {
  const headers = { authorization: `Bearer ${api_key}`, 'x-app-id': app_id! }
  return (await fetch(`${baseUrl}/api/products`, { headers })).status
}
const statuses = (keys: readonly Record<string, string>[]) =>
  Promise.all(keys.map((key) => statusAt(service, key)))

it('changes and shows the applications of the running service, and shows no key', async () => {
  const first = await runHere(env, 'create --name Shop')
  const second = await runHere(env, `rotate --app ${first.app_id} --expires 1d`)
  expect(await statuses([first, second])).toEqual([200, 200])
  const applications = await runHere(env, 'list')
  const ids = applications.map(({ app_id }: { app_id: string }) => app_id)
  expect(ids).toEqual(expect.arrayContaining([service.demo.app_id, first.app_id]))
  const keys = await runHere(env, `keys --app ${first.app_id}`)
  const keyDescription = await runInOwnProcess(env, 'find --key -', `${second.api_key}\n`)
  for (const { api_key } of [first, second])
    expect(JSON.stringify([applications, keys, keyDescription])).not.toContain(api_key)

  // A key that the service has not cached is refused at once.
  const third = await runHere(env, `rotate --app ${first.app_id}`)
  const revoked = await runHere(env, `revoke --app ${first.app_id} --key ${third.key_id}`)
  expect(await runHere(env, `revoke --app ${first.app_id} --key ${third.key_id}`)).toEqual(revoked)
  const fourth = await runHere(env, `rotate --app ${first.app_id}`)
  await runHere(env, `disable --app ${first.app_id}`)
  expect(await statuses([third, fourth])).toEqual([401, 401])
  await runHere(env, `enable --app ${first.app_id}`)
  expect(await statuses([third, fourth])).toEqual([401, 200])
})

it('runs several commands at once without a service, and the next service uses the result', async () => {
  const own = freeSettings()
  const created = await Promise.all(
    range(3).map((index) => runInOwnProcess(own, `create --name App${index}`)),
  )
  await runHere(own, `revoke --app ${created[0].app_id} --key ${created[0].key_id}`)
  const next = await startLocalProcess(own)
  expect(await Promise.all(created.map((key) => statusAt(next, key)))).toEqual([401, 200, 200])
})

it('waits for another command on its data folder', async () => {
  const own = freeSettings()
  await runHere(own, 'create --name Shop')
  const unlock = await lockFolder(own.DATA_DIR)
  const waiting = runHere(own, 'list')
  await pause(200)
  unlock()
  expect(await waiting).toMatchObject([{ name: 'Shop' }])
})

it('shows what a removal waits for, and within that time the service refuses a key that it has served', async () => {
  const created = await runHere(env, 'create --name Shop')
  const { app_id } = created
  expect(await statuses([created])).toEqual([200])
  const line = ['--import', fastClock, 'bin/apps.ts', 'remove', '--app', app_id, '--confirm', app_id]
  const removing = spawn(process.execPath, line, { env: { ...process.env, DYNAMODB_ENDPOINT: '', ...env } })
  // An iterator keeps the second line if both arrive at once.
  const lines = createInterface(removing.stderr)[Symbol.asyncIterator]()
  const { value: databaseLine } = await lines.next()
  const { value: progressLine } = await lines.next()
  expect(databaseLine).toBe(`using the database of the service at ${service.baseUrl}`)
  expect(progressLine).toMatch(/^the keys stop working everywhere within \d s$/)
  removing.kill('SIGKILL')
  await once(removing, 'exit')
  const killedAt = performance.now()
  while ((await statusAt(service, created)) !== 401) {
    expect(performance.now() - killedAt).toBeLessThan(7_000)
    await pause(20)
  }
  expect(await runHere(env, 'list')).toContainEqual(
    expect.objectContaining({ app_id, removing: expect.any(String) }),
  )
})

it.each<[string, () => Promise<Settings>, scale: number, remove: number]>([
  // The cache of keys and the time limit of a request.
  ['a service alone uses its database', async () => env, 7, 7],
  ['no service runs', async () => freeSettings(), 0, 0],
  ['a service has opened its database to others', openedService, 90, 376],
  ['another engine is used', async () => ({ DYNAMODB_ENDPOINT: engineOf(env) }), 90, 376],
])(
  'waits, to scale and to remove, until no request can write any more: %s',
  async (_, settingsOf, scale, remove) => {
    const settings = await settingsOf()
    const { app_id } = await runHere(settings, 'create --name Shop')
    const secondsOf = async (line: string) => {
      let millis = 0
      const wait = async (waited: number) => {
        millis += waited
      }
      await runApps(line.split(' '), settings, undefined, wait)
      return millis / 1_000
    }
    expect(await secondsOf(`scale --app ${app_id} --shards 2`)).toBe(scale)
    expect(await secondsOf(`remove --app ${app_id} --confirm ${app_id}`)).toBe(remove)
  },
)
