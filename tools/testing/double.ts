import type { RequestListener } from 'node:http'
import { createService, inService, type Service } from '../../shared/store/service.ts'
import { businessAt } from '../business/business.ts'
import { CommandError } from '../cli/command.ts'
import { type Engine, MissingEngineError, startEngine } from '../local/engine.ts'
import { createLocalServer, listen } from '../local/http-server.ts'
import type { ListenAddress } from '../local/loopback.ts'
import { gatewayListener } from '../local/server.ts'
import { CONTROL_PATH, type Controllable, handleControl } from './control.ts'
import type { ParsedState } from './control-bodies.ts'
import { RequestGate } from './request-gate.ts'
import { SettableClock } from './settable-clock.ts'
import { credentials, TestTable } from './test-table.ts'

/** The API with controls, in this process, on its own engine. A process can run several. */
export interface TestDouble extends Controllable {
  readonly engine: Engine
  readonly service: Service
  stop(): Promise<void>
}

/** `log` gets the lines of the log, which are printed by default. */
type DoubleOptions = ParsedState & ListenAddress & Partial<Pick<Service, 'log'>>

/** Passes requests for controls on to `double`, and all others to the gate. */
const controlledListener =
  (gate: RequestGate, double: () => Controllable): RequestListener =>
  ({ url }, response) => {
    const handled = url?.startsWith(CONTROL_PATH) ? handleControl(double(), response) : gate.handle(response)
    handled.catch((error: unknown) => response.destroy(error as Error))
  }

/** The table is empty until the first reset. */
const startServers = async (engine: Engine, options: DoubleOptions): Promise<TestDouble> => {
  const clock = new SettableClock()
  const table = new TestTable(engine.endpoint, clock)
  const service = createService({
    clock,
    settings: () => ({ endpoint: engine.endpoint, table: table.name, holdBackSeconds: 0 }),
    // Every run creates the same orders, and therefore the same cursors.
    orderSuffix: (id) => id,
    ...(options.log ? { log: options.log } : {}),
  })
  const respond = gatewayListener()
  const gateway: RequestListener = (request, response) => inService(service, () => respond(request, response))
  const gate = new RequestGate(gateway)
  const server = createLocalServer(
    // The control of a request is called after `double` has been assigned.
    controlledListener(gate, () => double),
    '--host 0.0.0.0',
  )
  const baseUrl = await listen(server, options, '--port')
  const setTime = (millis: number | undefined): void =>
    clock.set(millis === undefined ? undefined : () => millis)
  const reset = async ({ seed = options.seed ?? {}, time = options.time }: ParsedState): Promise<void> => {
    gate.script.clear()
    setTime(time)
    await table.reset(seed === 'scenario' ? businessAt(clock.now()) : seed, time, baseUrl)
  }
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    service.database.disconnect()
    table.close()
    await engine.stop()
  }
  const double: TestDouble = {
    access: { base_url: baseUrl, ...credentials, control_url: baseUrl + CONTROL_PATH },
    faults: gate.script,
    reset: (state = {}) => inService(service, () => gate.holdDuring(() => reset(state))),
    setTime,
    engine,
    service,
    stop,
  }
  return double
}

/** Throws CommandError that says how to install a missing engine. */
const startDoubleEngine = async (): Promise<Engine> => {
  try {
    return await startEngine()
  } catch (error) {
    if (!(error instanceof MissingEngineError && error.installable)) throw error
    const install = `npm install --save-optional --save-exact ${error.installable}`
    throw new CommandError(`${error.message}; run "${install}"`, { cause: error })
  }
}

/** If it fails, stops what it has started and throws CommandError. */
export const startDouble = async (options: DoubleOptions): Promise<TestDouble> => {
  const engine = await startDoubleEngine()
  let double: TestDouble | undefined
  try {
    double = await startServers(engine, options)
    await double.reset()
    return double
  } catch (error) {
    await (double ?? engine).stop()
    throw error
  }
}
