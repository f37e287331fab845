import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { type GlobalSecondaryIndexUpdate, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { indexSchemas, keySchema } from '../../lib/table-schema.ts'
import { currentService } from '../../shared/store/service.ts'
import { CHANGE_INDEX, CHILD_INDEX } from '../../shared/store/table.ts'
import { CommandError } from '../../tools/cli/command.ts'
import { localClient } from '../../tools/local/database.ts'
import { startEngine } from '../../tools/local/engine.ts'
import { exitWith } from '../../tools/local/exit.ts'
import { isListening } from '../../tools/local/loopback.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { type LocalSettings, localSettings } from '../../tools/local/settings.ts'
import { forgetInstants, setClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { range } from '../support/range.ts'

beforeAll(() => {
  currentService().log = () => undefined
})

/** The services of a test. They are stopped even if it fails, because Jest would not end while they run. */
const running: { stop(): Promise<void> }[] = []
afterEach(() => Promise.all(running.splice(0).map((service) => service.stop())))

const start = async (settings: Partial<LocalSettings> = {}): Promise<LocalService> => {
  const service = await startService({ ...localSettings({ PORT: '0' }, ['--memory']), ...settings })
  running.push(service)
  return service
}

const errorMessage = async (settings: Partial<LocalSettings>): Promise<string> => {
  const error = await start(settings).catch((thrown: unknown) => thrown)
  if (!(error instanceof CommandError))
    throw error instanceof Error ? error : new Error('The service started')
  expect(error.cause).toHaveProperty('message')
  return error.message
}

const call = (
  { baseUrl, demo }: Pick<LocalService, 'baseUrl' | 'demo'>,
  path = 'products',
  init: RequestInit = {},
) =>
  fetch(`${baseUrl}/api/${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      'x-app-id': demo.app_id,
      'content-type': 'application/json',
    },
  })

const record = (service: LocalService, path: string, body: object) =>
  call(service, path, { method: 'POST', body: JSON.stringify(body) })

/** Returns a list of changes two seconds later, because a change is listed when its second is over. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of lists is tested elsewhere
const changesIn = async (service: LocalService, path: string): Promise<any[]> => {
  setClock(() => Date.now() + 2_000)
  const response = await call(service, `${path}?changed_since=0&include=external_id`)
  setClock()
  return ((await response.json()) as { data: Record<string, []> }).data[path]!
}

/** One after the other. */
const changeIndexes = async ({ engine }: LocalService, ...updates: GlobalSecondaryIndexUpdate[]) => {
  const client = localClient(engine!.endpoint)
  const AttributeDefinitions = ['list', 'order'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  }))
  for (const update of updates) {
    const changes = { AttributeDefinitions, GlobalSecondaryIndexUpdates: [update] }
    await client.send(new UpdateTableCommand({ TableName: 'billing', ...changes }))
  }
  client.destroy()
}

const DEMO = 'demo-application.json'

describe('a service', () => {
  it('serves the API and its pages to a demo application, but not its engine, and stops although a client keeps its connection open', async () => {
    const service = await start()
    expect(service.engineUrl).toBeUndefined()
    expect((await call(service)).status).toBe(200)
    expect((await call({ ...service, demo: { ...service.demo, api_key: 'bdk_other' } })).status).toBe(401)
    expect(await (await fetch(`${service.baseUrl}/docs`)).text()).toContain(service.demo.api_key)
    const engine = new URL(service.engine!.endpoint)
    const port = Number(new URL(service.baseUrl).port)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(socket, 'data')
    const closed = once(socket, 'close')
    await Promise.all([service.stop(), closed])
    expect(await isListening(port)).toBe(false)
    expect(await isListening(Number(engine.port), engine.hostname)).toBe(false)
  })

  it('adds an index to a table that an earlier release created without it', async () => {
    const dataDir = temporaryFolder()
    const before = await start({ dataDir })
    for (const id of ['a', 'b']) await record(before, 'customers', { id })
    await changeIndexes(before, { Delete: { IndexName: CHANGE_INDEX } })
    await before.stop()
    const after = await start({ dataDir })
    await call(after, 'customers/a', { method: 'PUT' })
    expect((await changesIn(after, 'customers')).map(({ external_id }) => external_id)).toEqual(['b', 'a'])
  })

  it('removes erased data from the file of the database at the next start', async () => {
    const dataDir = temporaryFolder()
    const countTraces = () =>
      readdirSync(dataDir)
        .map((name) => readFileSync(join(dataDir, name)).toString('latin1').split('Ann Example').length - 1)
        .reduce((sum, count) => sum + count)
    const first = await start({ dataDir })
    for (const id of range(10)) {
      expect((await record(first, 'customers', { id, name: `Ann Example ${id}` })).status).toBe(200)
      expect((await call(first, `customers/${id}`, { method: 'PUT' })).status).toBe(200)
    }
    await first.stop()
    expect(countTraces()).toBeGreaterThan(0)
    const second = await start({ dataDir })
    expect(countTraces()).toBe(0)
    expect((await call(second, 'customers/1')).status).toBe(200)
  })

  it('writes files that only their owner can read, and replaces existing files and links', async () => {
    const dataDir = temporaryFolder()
    const elsewhere = join(temporaryFolder(), 'elsewhere')
    chmodSync(dataDir, 0o755)
    writeFileSync(elsewhere, 'not ours')
    symlinkSync(elsewhere, join(dataDir, DEMO))
    writeFileSync(join(dataDir, 'service.json'), '', { mode: 0o666 })
    writeFileSync(join(dataDir, 'billing.db'), '', { mode: 0o666 })
    const service = await start({ dataDir })
    const modes = readdirSync(dataDir).map((name) => [
      name,
      (lstatSync(join(dataDir, name)).mode & 0o777).toString(8),
    ])
    expect(Object.fromEntries(modes)).toMatchObject({
      [DEMO]: '600',
      'service.json': '600',
      'billing.db': '600',
    })
    expect(readFileSync(elsewhere, 'utf8')).toBe('not ours')
    await service.stop()
    expect(existsSync(join(dataDir, 'service.json'))).toBe(false)
  })

  it.each([
    ['is not JSON', '{"app_id":'],
    ['belongs to another table', '{"app_id":"app_0000000000000000","api_key":"bdk_other"}'],
    ['has no key', '{}'],
    ['has no object', 'null'],
  ])('creates another demo application if its file %s', async (_, content) => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, DEMO), content)
    const service = await start({ dataDir })
    expect((await call(service)).status).toBe(200)
    expect(JSON.parse(readFileSync(join(dataDir, DEMO), 'utf8'))).toEqual(service.demo)
  })

  it('uses another engine with a demo application of its own, and does not stop that engine', async () => {
    const otherEngine = await startEngine()
    running.push(otherEngine)
    const dataDir = temporaryFolder()
    const { endpoint } = otherEngine
    const service = await start({ dataDir, endpoint })
    expect(service.engine).toBeUndefined()
    expect((await call(service)).status).toBe(200)
    expect(readdirSync(dataDir)).toEqual([`demo-application-${encodeURIComponent(endpoint)}.json`])
    await service.stop()
    const another = await start({ endpoint })
    expect(another.demo).not.toEqual(service.demo)
  })

  it.each<[string, Partial<LocalSettings>, number]>([
    ['shows changes immediately on its own engine, since only it writes there', {}, 1],
    ['holds changes back on its own engine if the setting says so', { holdBack: 330 }, 0],
    ['holds changes back on its own engine if other programs may write to it', { enginePort: 0 }, 0],
    ['holds changes back on another engine, since others may write to it', { endpoint: 'another' }, 0],
    [
      'shows changes immediately on another engine if the setting says so',
      { endpoint: 'another', holdBack: 0 },
      1,
    ],
  ])('%s', async (_, settings, changeCount) => {
    forgetInstants()
    const otherEngine = settings.endpoint ? await startEngine() : undefined
    if (otherEngine) running.push(otherEngine)
    const service = await start({ ...settings, ...(otherEngine && { endpoint: otherEngine.endpoint }) })
    await record(service, 'customers', { id: 'x' })
    expect(await changesIn(service, 'customers')).toHaveLength(changeCount)
  })

  it('can be reached only from this machine or, if it is opened, from others without the demo key', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((addressList) => addressList ?? [])
    const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    const fromOutside = ({ baseUrl }: LocalService) =>
      fetch(`http://${outer ?? '127.0.0.2'}:${new URL(baseUrl).port}/docs`)
    const closed = await start()
    expect(closed.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await expect(fromOutside(closed)).rejects.toHaveProperty('cause.code', 'ECONNREFUSED')
    const open = await start({ host: '0.0.0.0' })
    expect(open.baseUrl).toMatch(/^http:\/\/localhost:\d+$/)
    expect((await call(open)).status).toBe(200)
    const page = await (await fromOutside(open)).text()
    expect(page).toContain('<div id="app">')
    expect(page).not.toContain(open.demo.api_key)
  })
})

describe('a service that cannot start', () => {
  it('reports that it cannot read or write the file of its demo application, and leaves no engine behind', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, DEMO))
    expect(await errorMessage({ dataDir })).toMatch(/^cannot read ".*demo-application\.json": EISDIR/)
    rmdirSync(join(dataDir, DEMO))
    const newFile = join(dataDir, `${DEMO}.new`)
    mkdirSync(newFile)
    expect(await errorMessage({ dataDir })).toMatch(/^cannot write ".*demo-application\.json": \S/)
    rmdirSync(newFile)
    await start({ dataDir })
  })

  it('reports that nothing listens at its endpoint', async () => {
    const endpoint = 'http://127.0.0.1:1'
    expect(await errorMessage({ endpoint })).toMatch(
      new RegExp(`^the DynamoDB engine at ${endpoint} does not work: \\S`),
    )
  })

  it('reports that it cannot read a table of version 0.1.0, whose index has another sort key', async () => {
    const dataDir = temporaryFolder()
    const service = await start({ dataDir })
    const child = indexSchemas.find(({ IndexName }) => IndexName === CHILD_INDEX)!
    const oldIndex = { ...child, KeySchema: keySchema({ partitionKey: 'list', sortKey: 'order' }) }
    await changeIndexes(service, { Delete: child }, { Create: oldIndex })
    await service.stop()
    await expect(start({ dataDir })).rejects.toThrow(
      new CommandError(
        'the table "billing" was made by an earlier version, which this one cannot read: set DATA_DIR to a new folder, or remove the old one',
      ),
    )
  })

  it('reports which port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await errorMessage({ port })).toBe(`port ${port} is taken; set PORT to a free one`)
    expect(await errorMessage({ enginePort: port })).toBe(
      `port ${port} is taken; set DYNAMODB_PORT to a free one`,
    )
    server.close()
  })

  it.each(['nowhere.invalid', '192.0.2.1'])(
    'reports that it cannot listen on %s, which is not an address of this machine',
    async (host) => {
      expect(await errorMessage({ host })).toMatch(new RegExp(`^cannot listen on host ${host}, port 0: \\S`))
    },
  )
})

describe('a signal', () => {
  it('stops the service once, however many signals arrive', async () => {
    const exit = jest.spyOn(process, 'exit').mockImplementation()
    const stop = jest.fn(async () => undefined)
    const stopAndExit = exitWith({ engine: undefined, stop }, 'billing')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopAndExit)
    stopAndExit()
    stopAndExit()
    await Promise.all(stop.mock.results.map(({ value }) => value))
    expect(stop).toHaveBeenCalledTimes(1)
    expect(exit.mock.calls).toEqual([[0]])
  })
})
