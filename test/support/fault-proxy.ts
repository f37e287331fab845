import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** An answer of the engine, whole. */
export interface EngineAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/** One call of the service to the engine, as a fault gets to see it. */
export interface WireCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  /** Lets the engine do it. */
  forward(): Promise<EngineAnswer>
}

/** What goes wrong with a call on the wire. */
export type WireFault = (call: WireCall) => Promise<void> | void

interface Rule {
  readonly label: string
  readonly fault: WireFault
  left: number
}

/**
 * Stands between the service and the engine. Faults are set for each application, which keys hold, so that cases of
 * several applications run side by side; a call's label is its operation, or "auth" for the look-up of an API key.
 */
export interface FaultProxy {
  readonly endpoint: string
  /** Lets an application's next `calls` calls with this label fail; "*" is any application, or any label. */
  inject(app: string, rule: { label: string; fault: WireFault; calls: number }): void
  /** Ends an application's fault, and returns how many calls it met. */
  heal(app: string): number
  /** The labels of an application's calls since this was last asked. */
  takeCalls(app: string): string[]
  /** Connections that are open now get no more answers, as after a freeze; new ones work. */
  deafen(): void
  /** Resets the connections that are open now. */
  cut(): void
  /** Closes the connections that are open now. */
  hangUp(): void
  /** How many connections there have been. */
  connections(): number
  stop(): Promise<void>
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Answers a call with what the engine answered. */
export const pass: WireFault = async ({ response, forward }) => {
  const { status, headers, body } = await forward()
  response.writeHead(status, headers).end(body)
}

const labelOf = (request: IncomingMessage, body: string): string =>
  body.includes('"KEY#') ? 'auth' : String(request.headers['x-amz-target']).replace(/^.*\./, '')

const forwarder =
  (engine: string, agent: Agent, request: IncomingMessage, body: Buffer) => (): Promise<EngineAnswer> =>
    new Promise((resolve, reject) => {
      const { host: _, ...headers } = request.headers
      const sent = httpRequest(engine, { method: 'POST', headers, agent }, (answer) => {
        readAll(answer).then(
          (all) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: all }),
          reject,
        )
      })
      sent.once('error', reject).end(body)
    })

/** The faults set for each application, and what they met. */
const newRules = () => {
  const rules = new Map<string, Rule>()
  const met = new Map<string, number>()
  const calls = new Map<string, string[]>()
  const faultFor = (app: string, label: string): WireFault => {
    calls.set(app, [...(calls.get(app) ?? []), label])
    const ruled = rules.has(app) ? app : '*'
    const rule = rules.get(ruled)
    if (!rule || (rule.label !== '*' && rule.label !== label) || rule.left === 0) return pass
    rule.left -= 1
    met.set(ruled, (met.get(ruled) ?? 0) + 1)
    return rule.fault
  }
  const inject: FaultProxy['inject'] = (app, { label, fault, calls: left }) => {
    rules.set(app, { label, fault, left })
  }
  const heal = (app: string): number => {
    const count = met.get(app) ?? 0
    rules.delete(app)
    met.delete(app)
    return count
  }
  const takeCalls = (app: string): string[] => {
    const taken = calls.get(app) ?? []
    calls.delete(app)
    return taken
  }
  return { faultFor, inject, heal, takeCalls }
}

/** Starts a proxy in front of an engine. */
export const startFaultProxy = async (engine: string): Promise<FaultProxy> => {
  const agent = new Agent({ keepAlive: true })
  const sockets = new Set<Socket>()
  const deaf = new WeakSet<Socket>()
  let connections = 0
  const { faultFor, ...rules } = newRules()

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(request)
    if (deaf.has(request.socket)) return
    const text = body.toString()
    const [app = ''] = /app_[0-9A-Za-z]{16}/.exec(text) ?? []
    const fault = faultFor(app, labelOf(request, text))
    await fault({ request, response, body, forward: forwarder(engine, agent, request, body) })
  }
  const server = createServer((request, response) => {
    // A client that gave up on a slow answer is part of the test.
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...rules,
    deafen: () => {
      for (const socket of sockets) deaf.add(socket)
    },
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    hangUp: () => {
      for (const socket of sockets) socket.end()
    },
    connections: () => connections,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}
