import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { forgetInstants, setClock } from '../clock.ts'
import { type Engine, freePort, startEngine } from '../local/engine.ts'
import { createGateway } from '../local/server.ts'
import { prepareTable } from '../local/service.ts'
import { StartError } from '../local/settings.ts'
import { createApplication, type Identity } from '../store/applications.ts'
import { apiKeyOf } from '../store/credentials.ts'
import { answerControl, CONTROL_PATH } from './control.ts'
import type { Fault } from './faults.ts'
import { Gate } from './gate.ts'
import { plant } from './seeding.ts'
import type { Beginning } from './settings.ts'

/** Known to everyone and the same in every test service, so that ids and cursors are the same at every run. */
const identity: Identity = {
  app_id: 'app_TestTestTestTest',
  api_key: apiKeyOf('Test'.repeat(8)),
  cursor_secret: Buffer.alloc(32).toString('base64'),
}

export interface HostOptions extends Beginning {
  readonly port: number
  readonly host: string
}

/** A test service that runs in this process, of which there can be only one. */
export interface Host {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  readonly engine: Engine
  /** Forgets everything and begins anew, as at first or as said here. Throws StartError when the seed is refused. */
  reset(beginning?: Beginning): Promise<void>
  /** Sets the clock to milliseconds since the epoch, where it stands still, or lets it go. */
  setTime(millis: number | undefined): void
  readonly faults: { add(fault: Fault): void; clear(): void; pending(): Fault[] }
  stop(): Promise<void>
}

const setTime = (millis: number | undefined): void =>
  setClock(millis === undefined ? undefined : () => millis)

/** A new table with the test application in it; the one before is dropped. */
const tables = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  let number = 0
  const renew = async (): Promise<void> => {
    number += 1
    await prepareTable(endpoint, `test-${number}`)
    await createApplication('Test', identity)
    if (number > 1) await client.send(new DeleteTableCommand({ TableName: `test-${number - 1}` }))
  }
  return { renew, close: () => client.destroy() }
}

const listening = (
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { port, host }: HostOptions,
) => {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  return new Promise<{ server: typeof server; baseUrl: string }>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new StartError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    )
    server.listen(port, host, () =>
      resolve({
        server,
        baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
      }),
    )
  })
}

/** Starts engine, gateway and gate; throws StartError, having stopped what it started. */
export const startHost = async (options: HostOptions): Promise<Host> => {
  const engine = await startEngine(await freePort())
  const gate = new Gate(createGateway())
  const table = tables(engine.endpoint)
  const pass = randomUUID()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers['x-seeding'] === pass) gate.pass(request, response)
    else if (request.url?.startsWith(CONTROL_PATH)) await answerControl(host, request, response)
    else await gate.enter(request, response)
  }
  const { server, baseUrl } = await listening(handle, options).catch(async (error: unknown) => {
    await engine.stop()
    throw error
  })
  const access = { baseUrl, appId: identity.app_id, apiKey: identity.api_key }
  const begin = async ({ seed = options.seed ?? {}, now = options.now }: Beginning): Promise<void> => {
    gate.script.clear()
    setTime(now === undefined ? undefined : new Date(now).getTime())
    forgetInstants()
    await table.renew()
    const seeding = (url: string, init: { headers: Record<string, string> }) =>
      fetch(url, { ...init, headers: { ...init.headers, 'x-seeding': pass } })
    await plant(seed, { ...access, fetch: seeding })
  }
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    table.close()
    await engine.stop()
  }
  const reset = (beginning: Beginning = {}) => gate.closedDuring(() => begin(beginning))
  const host: Host = { ...access, engine, reset, setTime, faults: gate.script, stop }
  await reset().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return host
}
