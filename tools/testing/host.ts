import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { forgetInstants, setClock } from '../../shared/clock.ts'
import { type Engine, freePort, startEngine } from '../local/engine.ts'
import { createGateway, keptOpen, urlOf, type Where } from '../local/server.ts'
import { StartError } from '../local/settings.ts'
import { answerControl, CONTROL_PATH, type Controlled } from './control.ts'
import { Gate } from './gate.ts'
import { scenario } from './scenario.ts'
import { plant } from './seeding.ts'
import type { Beginning } from './settings.ts'
import { identity, testTable } from './tables.ts'

export interface HostOptions extends Beginning, Where {}

/** A test service that runs in this process, of which there can be only one. */
export interface Host extends Controlled {
  readonly engine: Engine
  stop(): Promise<void>
}

const setTime = (millis: number | undefined): void =>
  setClock(millis === undefined ? undefined : () => millis)

const listen = (server: Server, { port, host }: HostOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new StartError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    )
    server.listen(port, host, () => resolve(urlOf(server, host)))
  })

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** What a request of the seeding carries, to get past the gate; nobody else knows it. */
const SEEDING = 'x-seeding'

const hostOn = async (engine: Engine, options: HostOptions): Promise<Host> => {
  const gateway = createGateway()
  const gate = new Gate(gateway)
  const table = testTable(engine.endpoint)
  const pass = randomUUID()
  const handle = async (
    request: IncomingMessage,
    response: Parameters<RequestListener>[1],
  ): Promise<void> => {
    if (request.headers[SEEDING] === pass) gate.pass(request, response)
    else if (request.url?.startsWith(CONTROL_PATH)) await answerControl(host, request, response)
    else await gate.enter(request, response)
  }
  const server = createServer(keptOpen, (request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  }).on('clientError', (...what) => gateway.emit('clientError', ...what))
  const baseUrl = await listen(server, options)
  const access = { baseUrl, appId: identity.app_id, apiKey: identity.api_key }
  const begin = async ({ seed = options.seed ?? {}, now = options.now }: Beginning): Promise<void> => {
    gate.script.clear()
    setTime(now === undefined ? undefined : new Date(now).getTime())
    forgetInstants()
    await table.renew()
    await plant(seed === 'scenario' ? scenario() : seed, { ...access, headers: { [SEEDING]: pass } })
  }
  const stop = async (): Promise<void> => {
    await close(server)
    table.close()
    await engine.stop()
  }
  const reset = (beginning: Beginning = {}) => gate.closedDuring(() => begin(beginning))
  const host: Host = { ...access, engine, reset, setTime, faults: gate.script, stop }
  return host
}

/** Starts engine, gateway and gate; throws StartError, having stopped what it started. */
export const startHost = async (options: HostOptions): Promise<Host> => {
  const engine = await startEngine(await freePort())
  let stop = () => engine.stop()
  try {
    const host = await hostOn(engine, options)
    stop = () => host.stop()
    await host.reset()
    return host
  } catch (error) {
    await stop()
    throw error
  }
}
