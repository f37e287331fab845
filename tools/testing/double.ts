import type { RequestListener, Server } from 'node:http'
import { forgetInstants, now, recordingInstant, setClock } from '../../shared/clock.ts'
import { type Engine, startEngine } from '../local/engine.ts'
import { createLocalServer, listen } from '../local/http-server.ts'
import type { ListenAddress } from '../local/loopback.ts'
import { gatewayListener } from '../local/server.ts'
import { CONTROL_PATH, type Controllable, handleControl } from './control.ts'
import type { ParsedState } from './control-bodies.ts'
import { RequestGate } from './request-gate.ts'
import { scenario } from './scenario.ts'
import { createSeed } from './seed.ts'
import { credentials, testTable } from './test-table.ts'

/** The initial state of a test double, and its address. */
interface DoubleOptions extends ParsedState, ListenAddress {}

/** The API with controls, in this process, on its own engine. A process can run only one, which sets the environment. */
export interface TestDouble extends Controllable {
  readonly engine: Engine
  stop(): Promise<void>
}

const setTime = (millis: number | undefined): void =>
  setClock(millis === undefined ? undefined : () => millis)

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Processes requests to the controls, and passes all others to the gate. */
const controlledListener =
  (gate: RequestGate, double: () => Controllable): RequestListener =>
  ({ url }, response) => {
    const handled = url?.startsWith(CONTROL_PATH) ? handleControl(double(), response) : gate.handle(response)
    handled.catch((error: unknown) => response.destroy(error as Error))
  }

/** A recorded initial state, from which a reset restores it. */
interface Snapshot {
  /** The seed and the time, as text. */
  readonly state: string
  readonly items: Awaited<ReturnType<ReturnType<typeof testTable>['items']>>
  /** The instant of the last record; those of new records follow it. */
  readonly instant: number
}

const doubleOn = async (engine: Engine, options: DoubleOptions): Promise<TestDouble> => {
  const gateway = gatewayListener()
  const gate = new RequestGate(gateway)
  const table = testTable(engine.endpoint)
  const server = createLocalServer(
    controlledListener(gate, () => double),
    '--host 0.0.0.0',
  )
  const baseUrl = await listen(server, options, '--port')
  const { app_id: appId, api_key: apiKey } = credentials
  // The gate delays requests during a reset. Those of the seed reach the gateway through a port of its own.
  const seedServer = createLocalServer(gateway)
  const seedUrl = await listen(seedServer, { host: '127.0.0.1', port: 0 })
  // To restore a state takes some milliseconds per entity less than to create it again.
  let snapshot: Snapshot | undefined
  const reset = async ({
    seed: given = options.seed ?? {},
    time = options.time,
  }: ParsedState): Promise<void> => {
    gate.script.clear()
    setTime(time)
    const seed = given === 'scenario' ? scenario(now()) : given
    const state = JSON.stringify([seed, time])
    if (snapshot?.state === state) {
      forgetInstants(snapshot.instant)
      return table.restore(snapshot.items)
    }
    forgetInstants()
    await table.recreate()
    await createSeed(seed, { baseUrl: seedUrl, appId, apiKey })
    snapshot = { state, items: await table.items(), instant: recordingInstant() }
  }
  const stop = async (): Promise<void> => {
    await Promise.all([close(server), close(seedServer)])
    table.close()
    await engine.stop()
  }
  const double: TestDouble = {
    access: { base_url: baseUrl, ...credentials, control_url: baseUrl + CONTROL_PATH },
    faults: gate.script,
    reset: (state = {}) => gate.holdDuring(() => reset(state)),
    setTime,
    engine,
    stop,
  }
  return double
}

/** Starts a test double and its engine. If that fails, stops both and throws CommandError. */
export const startDouble = async (options: DoubleOptions): Promise<TestDouble> => {
  const engine = await startEngine()
  let stop = () => engine.stop()
  try {
    const double = await doubleOn(engine, options)
    stop = () => double.stop()
    await double.reset()
    return double
  } catch (error) {
    await stop()
    throw error
  }
}
