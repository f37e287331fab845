import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Credentials } from '../../../shared/store/credentials.ts'
import { currentService } from '../../../shared/store/service.ts'
import { createApplication } from '../../../tools/applications/applications.ts'
import { prepareTable, useDatabase } from '../../../tools/local/database.ts'
import { listen } from '../../../tools/local/http-server.ts'
import { createGateway, type HandlerLoader } from '../../../tools/local/server.ts'
import { CONTROL_PATH } from '../../../tools/testing/control.ts'
import { deployedHandlers } from '../../bundles/deployed-handlers.ts'
import { ampleBudget, setBudget } from '../budgets.ts'
import { expectDeclared } from './declared-responses.ts'

// biome-ignore lint/suspicious/noExplicitAny: expectDeclared has checked its shape
type Json = any

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly json: Json
  /** In order. */
  readonly details: string[]
}

export interface Call {
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Record<string, string>
}

/** Checks every response against the declaration of its endpoint. */
export interface Client {
  readonly credentials: Credentials
  readonly baseUrl: string
  call(method: string, path: string, call?: Call): Promise<ApiResponse>
  get(path: string, call?: Call): Promise<ApiResponse>
  post(path: string, body: unknown, call?: Call): Promise<ApiResponse>
  put(path: string, body?: unknown, call?: Call): Promise<ApiResponse>
  /** Requires a 200 and returns the entity. */
  create(path: string, body: unknown): Promise<Json>
}

/** Of the handlers in this test file. */
export const logLines: string[] = []

const servers: Server[] = []
let baseUrl = ''

/** The responses to the test double's controls are not checked: they are no part of the API. */
const call = async (
  { baseUrl, credentials }: Pick<Client, 'baseUrl' | 'credentials'>,
  method: string,
  path: string,
  { body, raw, headers = {} }: Call,
): Promise<ApiResponse> => {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const sent = raw ?? json
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${credentials.api_key}`,
      'x-app-id': credentials.app_id,
      'content-type': 'application/json',
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent as string }),
  })
  const answer = (await response.json()) as Json
  const received = { status: response.status, headers: response.headers, json: answer }
  if (!path.startsWith(CONTROL_PATH)) expectDeclared(method, path, received)
  const errors: { detail: string }[] = answer.errors ?? []
  return { ...received, details: errors.map(({ detail }) => detail) }
}

const clientWith = (access: () => Pick<Client, 'baseUrl' | 'credentials'>): Client => {
  const send = (method: string, path: string, options: Call = {}) => call(access(), method, path, options)
  return {
    get credentials() {
      return access().credentials
    },
    get baseUrl() {
      return access().baseUrl
    },
    call: send,
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, { body, ...options }),
    put: (path, body, options) => send('PUT', path, { body, ...options }),
    create: async (path, body) => {
      const { status, json } = await send('POST', path, { body })
      if (status !== 200) throw new Error(`POST ${path} responded with ${status}: ${JSON.stringify(json)}`)
      return Object.values(json.data)[0]
    },
  }
}

export const clientAt = (baseUrl: string, credentials: Credentials): Client =>
  clientWith(() => ({ baseUrl, credentials }))

export const clientOf = (credentials: Credentials): Client => clientAt(baseUrl, credentials)

export const newClient = async (name = 'Test'): Promise<Client> => clientOf(await createApplication(name))

const clientFrom = (hook: typeof beforeAll): Client => {
  let credentials: Credentials | undefined
  hook(async () => {
    credentials = await createApplication('Test')
  })
  return clientWith(() => {
    if (!credentials) throw new Error('the application exists only in tests and in later hooks')
    return { baseUrl, credentials }
  })
}

/** Of one new application for all tests of the file or `describe` that calls this. */
export const clientForTests = (): Client => clientFrom(beforeAll)

/** Of a new application for each test. */
export const clientForEachTest = (): Client => clientFrom(beforeEach)

/** A text that tests send as personal data, so that it must never appear in a log. */
export const SENTINEL = 'S3ntinel'

/** Matches texts that must never appear in a log: API keys, whole or truncated, and personal data. */
const leak = new RegExp(`bd[kr]_[0-9A-Za-z]{12}|${SENTINEL}`)

interface EngineProxy {
  readonly endpoint: string
  stop(): Promise<void>
}

let bundles: ReturnType<typeof deployedHandlers> | undefined

/** Undefined unless `npm run test:bundles` has built the bundles. */
const startBundles = (table: string) => {
  const { BUNDLES: assembly, DYNAMODB_ENDPOINT: endpoint } = process.env
  if (!assembly) return undefined
  const log = (line: string) => void logLines.push(line)
  bundles = deployedHandlers({ assembly, table, endpoint: endpoint as string, log })
  return bundles
}

/**
 * Serves the real handlers over HTTP, with a table of their own. Call it at the top of a test file or of a
 * `describe`. The handlers reach the engine through the proxy that `startProxy` starts, or directly if it is
 * absent. The proxy is stopped at the end. `load` loads the handlers, by default the handlers of the sources
 * or of the bundles. Requests have an ample time budget.
 */
export const serveForTests = (
  startProxy?: (engine: string) => Promise<EngineProxy>,
  load?: HandlerLoader,
): void => {
  let proxy: EngineProxy | undefined
  // Before any client exists, since a client keeps its connect timeout. A test file may override it
  // afterwards.
  setBudget(ampleBudget)
  beforeAll(async () => {
    currentService().log = (line) => logLines.push(line)
    const engine = process.env.TEST_ENGINE as string
    const table = `test-${randomUUID()}`
    await prepareTable(engine, table)
    proxy = await startProxy?.(engine)
    if (proxy) useDatabase(proxy.endpoint, table)
    const server = createGateway(load ?? startBundles(table)?.load)
    servers.push(server)
    baseUrl = await listen(server, { host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    expect(logLines.filter((line) => leak.test(line))).toEqual([])
    await bundles?.stop()
    await proxy?.stop()
    await Promise.all(
      servers.splice(0).map((server) => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      }),
    )
  })
}
