import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setLogSink } from '../../shared/log.ts'
import { freePort, isListening, startEngine } from '../../tools/local/engine.ts'
import { startService } from '../../tools/local/service.ts'
import { type LocalSettings, StartError } from '../../tools/local/settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The store of a process knows one endpoint, as a deployed function does: all services here have the same.
let enginePort = 0
beforeAll(async () => {
  setLogSink(() => undefined)
  enginePort = await freePort()
})

const start = (settings: Partial<LocalSettings> = {}) =>
  startService({
    host: '127.0.0.1',
    port: 0,
    enginePort,
    dataDir: undefined,
    endpoint: undefined,
    table: 'billing',
    ...settings,
  })

type Service = Awaited<ReturnType<typeof start>>

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
  { baseUrl, demo }: Pick<Service, 'baseUrl' | 'demo'>,
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
const products = async (service: Service): Promise<unknown> =>
  ((await (await call(service)).json()) as { data: { products: unknown } }).data.products

const DEMO = 'demo-application.json'

describe('the service in this process', () => {
  it('serves the API and its pages with a demo application, and ends with its engine', async () => {
    const service = await start()
    expect((await call(service)).status).toBe(200)
    const stranger = { baseUrl: service.baseUrl, demo: { ...service.demo, api_key: 'bdk_other' } }
    expect((await call(stranger)).status).toBe(401)
    expect(await (await fetch(`${service.baseUrl}/docs`)).text()).toContain(service.demo.api_key)
    expect(service.engine?.endpoint).toBe(`http://127.0.0.1:${enginePort}`)
    await service.stop()
    expect(await isListening(enginePort)).toBe(false)
    await expect(call(service)).rejects.toThrow()
  })

  it('keeps what it recorded, and its demo application, in its folder', async () => {
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
    expect(await products(second)).toMatchObject([{ name: 'Kept' }])
    await second.stop()
  })

  it.each([
    ['broken', '{"app_id":'],
    ['of another table', '{"app_id":"app_0000000000000000","api_key":"bdk_other"}'],
    ['without a key', '{}'],
    ['no object', 'null'],
  ])('makes another demo application where the file is %s', async (_, content) => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, DEMO), content)
    const service = await start({ dataDir })
    expect((await call(service)).status).toBe(200)
    expect(JSON.parse(readFileSync(join(dataDir, DEMO), 'utf8'))).toEqual(service.demo)
    await service.stop()
  })

  it('says that it cannot read the file of its demo application, and leaves no engine behind', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, DEMO))
    expect(await refusal({ dataDir })).toMatch(/^cannot read ".*demo-application\.json": EISDIR/)
    expect(await isListening(enginePort)).toBe(false)
    rmdirSync(join(dataDir, DEMO))
    await (await start({ dataDir })).stop()
  })

  it('uses another engine, which it does not end, with a demo application for that one', async () => {
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

  it('says that nothing answers at another endpoint', async () => {
    const endpoint = `http://127.0.0.1:${enginePort}`
    expect(await refusal({ endpoint })).toMatch(
      new RegExp(`^the DynamoDB engine at ${endpoint} does not work: \\S`),
    )
  })

  it('says that its port is taken, and leaves no engine behind', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await refusal({ port })).toBe(`port ${port} is taken; set PORT to a free one`)
    expect(await isListening(enginePort)).toBe(false)
    server.close()
  })

  it('is reached from this machine alone unless its host says otherwise, and shows others no key', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const ofOthers = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    const from = ({ baseUrl }: Service) =>
      fetch(`http://${ofOthers ?? '127.0.0.2'}:${new URL(baseUrl).port}/docs`)
    const closed = await start()
    expect(closed.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await expect(from(closed)).rejects.toHaveProperty('cause.code', 'ECONNREFUSED')
    await closed.stop()
    const open = await start({ host: '0.0.0.0' })
    expect(open.baseUrl).toMatch(/^http:\/\/localhost:\d+$/)
    expect((await call(open)).status).toBe(200)
    const page = await (await from(open)).text()
    expect(page).toContain('<div id="app">')
    expect(page).not.toContain(open.demo.api_key)
    await open.stop()
  })

  it.each(['nowhere.invalid', '192.0.2.1'])('says that it cannot listen on %s', async (host) => {
    expect(await refusal({ host })).toMatch(new RegExp(`^cannot listen on HOST ${host}, PORT 0: \\S`))
  })

  it('ends though a client keeps its connection', async () => {
    const service = await start()
    const { port } = new URL(service.baseUrl)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
    const left = once(socket, 'close')
    await Promise.all([service.stop(), left])
    expect(await isListening(Number(port))).toBe(false)
  })
})
