import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import getPort from 'get-port'
import { setLogSink } from '../../shared/log.ts'
import { isListening, startEngine } from '../../tools/local/engine.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { type LocalSettings, StartError } from '../../tools/local/settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The store of a process uses one endpoint, so all services here share it.
let enginePort = 0
beforeAll(async () => {
  setLogSink(() => undefined)
  enginePort = await getPort()
})

const start = (settings: Partial<LocalSettings> = {}) =>
  startService({
    ...{ host: '127.0.0.1', port: 0, enginePort, table: 'billing', dataDir: undefined, endpoint: undefined },
    ...settings,
  })

/** The message with which a service refuses to start. */
const refusal = async (settings: Partial<LocalSettings>): Promise<string> => {
  const error = await start(settings).then(
    (service) => service.stop(),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StartError)) throw error ?? new Error('The service started')
  expect(error.cause).toHaveProperty('message')
  return error.message
}

const call = (
  { baseUrl, demo }: Pick<LocalService, 'baseUrl' | 'demo'>,
  init: { method?: string; body?: string } = {},
) =>
  fetch(`${baseUrl}/api/products`, {
    ...init,
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      'x-app-id': demo.app_id,
      'content-type': 'application/json',
    },
  })

const DEMO = 'demo-application.json'

describe('a service', () => {
  it('serves the API and its pages to a demo application, and stops although a client keeps its connection', async () => {
    const service = await start()
    expect((await call(service)).status).toBe(200)
    expect((await call({ ...service, demo: { ...service.demo, api_key: 'bdk_other' } })).status).toBe(401)
    expect(await (await fetch(`${service.baseUrl}/docs`)).text()).toContain(service.demo.api_key)
    expect(service.engine?.endpoint).toBe(`http://127.0.0.1:${enginePort}`)
    const port = Number(new URL(service.baseUrl).port)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
    const closed = once(socket, 'close')
    await Promise.all([service.stop(), closed])
    for (const each of [port, enginePort]) expect(await isListening(each)).toBe(false)
  })

  it('keeps data and demo application in its folder', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const first = await start({ dataDir })
    expect((await call(first, { method: 'POST', body: '{"id":1,"name":"Kept"}' })).status).toBe(200)
    await first.stop()
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining([DEMO, 'billing.db']))
    const file = join(dataDir, DEMO)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first.demo)
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n {2}".*\}\n$/s)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const second = await start({ dataDir })
    expect(second.demo).toEqual(first.demo)
    expect(await (await call(second)).json()).toMatchObject({ data: { products: [{ name: 'Kept' }] } })
    await second.stop()
  })

  it.each([
    ['is broken', '{"app_id":'],
    ['belongs to another table', '{"app_id":"app_0000000000000000","api_key":"bdk_other"}'],
    ['has no key', '{}'],
    ['is no object', 'null'],
  ])('creates another demo application when its file %s', async (_, content) => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, DEMO), content)
    const service = await start({ dataDir })
    expect((await call(service)).status).toBe(200)
    expect(JSON.parse(readFileSync(join(dataDir, DEMO), 'utf8'))).toEqual(service.demo)
    await service.stop()
  })

  it('uses another engine, which it does not stop, with a demo application of its own', async () => {
    const other = await startEngine(enginePort)
    const [dataDir, { endpoint }] = [temporaryFolder(), other]
    const service = await start({ dataDir, endpoint, enginePort: 1 })
    expect(service.engine).toBeUndefined()
    expect((await call(service)).status).toBe(200)
    expect(readdirSync(dataDir)).toEqual([`demo-application-${encodeURIComponent(endpoint)}.json`])
    await service.stop()
    expect(await isListening(enginePort)).toBe(true)
    const another = await start({ endpoint })
    expect(another.demo).not.toEqual(service.demo)
    await another.stop()
    await other.stop()
  })

  it('is reachable from this machine only, or from others without the demo key', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    const fromOutside = ({ baseUrl }: LocalService) =>
      fetch(`http://${outer ?? '127.0.0.2'}:${new URL(baseUrl).port}/docs`)
    const closed = await start()
    expect(closed.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await expect(fromOutside(closed)).rejects.toHaveProperty('cause.code', 'ECONNREFUSED')
    await closed.stop()
    const open = await start({ host: '0.0.0.0' })
    expect(open.baseUrl).toMatch(/^http:\/\/localhost:\d+$/)
    expect((await call(open)).status).toBe(200)
    const page = await (await fromOutside(open)).text()
    expect(page).toContain('<div id="app">')
    expect(page).not.toContain(open.demo.api_key)
    await open.stop()
  })
})

describe('a service does not start, and leaves no engine behind,', () => {
  afterEach(async () => expect(await isListening(enginePort)).toBe(false))

  it('when it cannot read the file of its demo application', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, DEMO))
    expect(await refusal({ dataDir })).toMatch(/^cannot read ".*demo-application\.json": EISDIR/)
    rmdirSync(join(dataDir, DEMO))
    await (await start({ dataDir })).stop()
  })

  it('when nothing answers at its endpoint', async () => {
    const endpoint = `http://127.0.0.1:${enginePort}`
    expect(await refusal({ endpoint })).toMatch(
      new RegExp(`^the DynamoDB engine at ${endpoint} does not work: \\S`),
    )
  })

  it('when its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await refusal({ port })).toBe(`port ${port} is taken; set PORT to a free one`)
    server.close()
  })

  it.each(['nowhere.invalid', '192.0.2.1'])('when %s is no address of this machine', async (host) => {
    expect(await refusal({ host })).toMatch(new RegExp(`^cannot listen on host ${host}, port 0: \\S`))
  })
})
