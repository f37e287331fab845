import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { HandlerLoader } from '../../../tools/local/server.ts'
import { serveForTests } from '../requests/service.ts'

interface EngineResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

export interface WireCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  forward(): Promise<EngineResponse>
}

export type WireFault = (call: WireCall) => Promise<void> | void

interface Rule {
  readonly label: string
  readonly fault: WireFault
  /** Calls that are still to be affected. */
  remaining: number
}

/**
 * A proxy between the service and the engine. Faults are set by application, which the keys of calls contain,
 * so that cases of several applications can run at once. A call's label is its operation, or "auth" for the
 * look-up of an API key.
 */
export interface FaultProxy {
  readonly endpoint: string
  /** "*" matches any application or label. */
  inject(app: string, rule: { label: string; fault: WireFault; calls: number }): void
  /** Returns the number of calls that the fault affected. */
  heal(app: string): number
  /** Since the last time. */
  takeCalls(app: string): string[]
  /** As after the function was frozen. New connections work. */
  muteConnections(): void
  resetConnections(): void
  closeConnections(): void
  connectionCount(): number
  stop(): Promise<void>
}

export const passThrough: WireFault = async ({ response, forward }) => {
  const { status, headers, body } = await forward()
  response.writeHead(status, headers).end(body)
}

/** Each of the next calls meets the next of these faults. */
export const faultsInOrder = (...faults: WireFault[]) => ({
  fault: ((call) => faults.shift()!(call)) as WireFault,
  calls: faults.length,
})

const labelOf = (request: IncomingMessage, body: string): string => {
  const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '')
  return operation === 'GetItem' && body.includes('"KEY#') ? 'auth' : operation
}

const forwarder =
  (engine: string, agent: Agent, request: IncomingMessage, body: Buffer) => (): Promise<EngineResponse> =>
    new Promise((resolve, reject) => {
      const { host: _, ...headers } = request.headers
      const sent = httpRequest(engine, { method: 'POST', headers, agent }, (reply) => {
        buffer(reply).then(
          (all) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: all }),
          reject,
        )
      })
      sent.once('error', reject).end(body)
    })

/** By application. */
const newRules = () => {
  const rules = new Map<string, Rule>()
  const affectedCalls = new Map<string, number>()
  const labelsByApp = new Map<string, string[]>()
  const faultFor = (app: string, label: string): WireFault => {
    const labels = labelsByApp.get(app) ?? []
    labels.push(label)
    labelsByApp.set(app, labels)
    const ruleKey = rules.has(app) ? app : '*'
    const rule = rules.get(ruleKey)
    if (!rule || rule.remaining === 0) return passThrough
    if (rule.label !== '*' && rule.label !== label) return passThrough
    rule.remaining -= 1
    affectedCalls.set(ruleKey, (affectedCalls.get(ruleKey) ?? 0) + 1)
    return rule.fault
  }
  const inject: FaultProxy['inject'] = (app, { label, fault, calls }) => {
    rules.set(app, { label, fault, remaining: calls })
  }
  const heal = (app: string): number => {
    const count = affectedCalls.get(app) ?? 0
    rules.delete(app)
    affectedCalls.delete(app)
    return count
  }
  const takeCalls = (app: string): string[] => {
    const taken = labelsByApp.get(app) ?? []
    labelsByApp.delete(app)
    return taken
  }
  return { faultFor, inject, heal, takeCalls }
}

/** `start` puts it in front of the engine at an address. */
const newFaultProxy = (): FaultProxy & { readonly start: (engine: string) => Promise<void> } => {
  const agent = new Agent({ keepAlive: true })
  const sockets = new Set<Socket>()
  const muted = new WeakSet<Socket>()
  let engineAddress = ''
  let connectionCount = 0
  const { faultFor, ...rules } = newRules()

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    if (muted.has(request.socket)) return
    const text = body.toString()
    const [app = ''] = /app_[0-9A-Za-z]{16}/.exec(text) ?? []
    const fault = faultFor(app, labelOf(request, text))
    await fault({ request, response, body, forward: forwarder(engineAddress, agent, request, body) })
  }
  const server = createServer((request, response) => {
    // A client may give up on a slow response.
    handle(request, response).catch((error: Error) => response.destroy(error))
  })
  server.on('connection', (socket) => {
    connectionCount += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    start: async (engine) => {
      engineAddress = engine
      await once(server.listen(0, '127.0.0.1'), 'listening')
    },
    get endpoint() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    ...rules,
    muteConnections: () => {
      for (const socket of sockets) muted.add(socket)
    },
    resetConnections: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    closeConnections: () => {
      for (const socket of sockets) socket.end()
    },
    connectionCount: () => connectionCount,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}

export const startFaultProxy = async (engine: string): Promise<FaultProxy> => {
  const proxy = newFaultProxy()
  await proxy.start(engine)
  return proxy
}

/** The proxy is between the handlers and the engine. */
export const serveWithFaults = (load?: HandlerLoader): FaultProxy => {
  const proxy = newFaultProxy()
  const startInFrontOf = async (engine: string) => {
    await proxy.start(engine)
    return proxy
  }
  serveForTests(startInFrontOf, load)
  return proxy
}
