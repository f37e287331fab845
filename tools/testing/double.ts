import type { RequestListener, Server } from 'node:http'
import { now, setClock } from '../../shared/clock.ts'
import { CommandError } from '../cli/command.ts'
import { type Engine, MissingEngineError, startEngine } from '../local/engine.ts'
import { createLocalServer, listen } from '../local/http-server.ts'
import type { ListenAddress } from '../local/loopback.ts'
import { gatewayListener } from '../local/server.ts'
import { CONTROL_PATH, type Controllable, handleControl } from './control.ts'
import type { ParsedState } from './control-bodies.ts'
import { RequestGate } from './request-gate.ts'
import { scenario } from './scenario.ts'
import { credentials, TestTable } from './test-table.ts'

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

const controlledListener =
  (gate: RequestGate, double: () => Controllable): RequestListener =>
  ({ url }, response) => {
    const handled = url?.startsWith(CONTROL_PATH) ? handleControl(double(), response) : gate.handle(response)
    handled.catch((error: unknown) => response.destroy(error as Error))
  }

const doubleOn = async (engine: Engine, options: ParsedState & ListenAddress): Promise<TestDouble> => {
  const gateway = gatewayListener()
  const gate = new RequestGate(gateway)
  const table = new TestTable(engine.endpoint)
  const server = createLocalServer(
    controlledListener(gate, () => double),
    '--host 0.0.0.0',
  )
  const baseUrl = await listen(server, options, '--port')
  // The gate delays requests during a reset. Those of the seed reach the gateway through a port of its own.
  const seedServer = createLocalServer(gateway)
  const seedUrl = await listen(seedServer, { host: '127.0.0.1', port: 0 })
  const reset = async ({ seed = options.seed ?? {}, time = options.time }: ParsedState): Promise<void> => {
    gate.script.clear()
    setTime(time)
    await table.reset(seed === 'scenario' ? scenario(now()) : seed, time, seedUrl)
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

/** Starts an engine in memory. If it is not installed, the CommandError says how to install it. */
const startDoubleEngine = async (): Promise<Engine> => {
  try {
    return await startEngine()
  } catch (error) {
    if (!(error instanceof MissingEngineError && error.installable)) throw error
    const install = `npm install --save-optional --save-exact ${error.installable}`
    throw new CommandError(`${error.message}; run "${install}"`, { cause: error })
  }
}

/** Starts a test double and its engine. If that fails, stops both and throws CommandError. */
export const startDouble = async (options: ParsedState & ListenAddress): Promise<TestDouble> => {
  const engine = await startDoubleEngine()
  let double: TestDouble | undefined
  try {
    double = await doubleOn(engine, options)
    await double.reset()
    return double
  } catch (error) {
    await (double ?? engine).stop()
    throw error
  }
}
