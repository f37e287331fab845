import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { serveForTests } from './service.ts'

/** Serves the real handlers behind a proxy that injects faults. Returns the proxy, which is running when the tests begin. */
export const serveWithFaults = (): FaultProxy => {
  const proxy = {} as FaultProxy
  serveForTests(async (engine) => Object.assign(proxy, await startFaultProxy(engine)))
  return proxy
}
