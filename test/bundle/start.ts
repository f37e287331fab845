import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { ENTRY_FILE } from '../../lib/bundle/bundle.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { products } from '../../shared/resources/product.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { prepareTable } from '../../tools/local/database.ts'
import { allBundles, bundleFolder } from '../bundles/all-bundles.ts'
import { inProcess, lambdaEnvironment } from '../bundles/running-function.ts'
import { type FaultProxy, startFaultProxy, type WireFault } from '../support/database/fault-proxy.ts'
import { wireFaults } from '../support/database/wire-faults.ts'
import { range } from '../support/range.ts'

/** Starts bundled functions, each in its own process, on an engine with injected faults. */

const table = `start-${randomUUID()}`
const endpoints = [products.list, invoices.create]
let proxy: FaultProxy
let credentials: Credentials
const running: Awaited<ReturnType<typeof inProcess>>[] = []

beforeAll(async () => {
  const engine = process.env.TEST_ENGINE as string
  await Promise.all([allBundles(), prepareTable(engine, table)])
  credentials = await createApplication('Start')
  proxy = await startFaultProxy(engine)
})
afterEach(() => Promise.all(running.splice(0).map(({ stop }) => stop())))
afterAll(() => proxy.stop())

/** Starts a function. `lines` are the lines of its log so far. */
const start = async (id: string, environment: Record<string, string> = {}) => {
  const lines: Record<string, unknown>[] = []
  const started = await inProcess(
    {
      file: join(await bundleFolder(id), ENTRY_FILE),
      timeoutMillis: FUNCTION_TIMEOUT_MILLIS,
      environment: { ...lambdaEnvironment(proxy.endpoint), TABLE_NAME: table, ...environment },
    },
    (line) => lines.push(JSON.parse(line)),
  )
  running.push(started)
  // If this process was suspended, the calls of the start may arrive after the message that it has started.
  for (const _ of range(10)) await nextTurn()
  const send = (event: object) => started.handler(event as APIGatewayProxyEvent)
  const list = ({ app_id, api_key } = credentials) =>
    send({ headers: { authorization: `Bearer ${api_key}`, 'x-app-id': app_id } })
  return { ...started, lines, send, list }
}

/** Expects the log of a start whose warm-up failed: one line, without the invented credentials. */
const expectOneWarning = (lines: readonly Record<string, unknown>[]): void => {
  expect(lines).toEqual([
    {
      level: 'warn',
      message: expect.stringMatching(/warm-up failed/),
      function: expect.any(String),
      took_ms: expect.any(Number),
      error: expect.anything(),
    },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/bd[kr]_|app_0/)
}

/**
 * Starts a function until its log meets a condition, because on a busy machine the 300 ms of a warm-up may pass before it makes
 * a call. After a minute, returns a function whose log does not meet the condition, so that the test shows how it differs.
 */
const startUntil = async (
  id: string,
  isMet: (lines: readonly unknown[]) => boolean,
  environment?: Record<string, string>,
) => {
  const deadline = performance.now() + 60_000
  for (;;) {
    const started = await start(id, environment)
    if (isMet(started.lines) || performance.now() > deadline) return started
    await started.stop()
  }
}
const startWarm = () => startUntil('products.list', (lines) => lines.length === 0)

interface DatabaseCall {
  readonly target: unknown
  readonly response: string
  readonly authorization: unknown
  readonly securityToken: unknown
}

it.each(endpoints)('reads one item that does not exist when $id starts, and logs nothing', async ({ id }) => {
  /** The calls of the present start. */
  let calls: DatabaseCall[] = []
  const recordCall: WireFault = async ({ request, response, forward }) => {
    const callsOfItsStart = calls
    const { status, headers, body } = await forward()
    callsOfItsStart.push({
      target: request.headers['x-amz-target'],
      response: body.toString(),
      authorization: request.headers.authorization,
      securityToken: request.headers['x-amz-security-token'],
    })
    response.writeHead(status, headers).end(body)
  }
  proxy.inject('*', { label: '*', fault: recordCall, calls: Number.POSITIVE_INFINITY })
  const { lines } = await startUntil(id, (logged) => {
    const isQuiet = logged.length === 0
    if (!isQuiet) calls = []
    return isQuiet
  })
  proxy.heal('*')
  // The call is signed with the credentials of the environment, where Lambda provides them.
  const signature =
    /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, .*Signature=/
  expect(calls).toEqual([
    {
      target: 'DynamoDB_20120810.GetItem',
      response: '{}',
      authorization: expect.stringMatching(signature),
      securityToken: 'local',
    },
  ])
  expect(lines).toEqual([])
})

it('reuses the connection of the warm-up for the first request', async () => {
  const { lines, list } = await startWarm()
  const opened = proxy.connectionCount()
  expect(await list()).toMatchObject({ statusCode: 200 })
  expect(proxy.connectionCount()).toBe(opened)
  expect(lines).toMatchObject([{ level: 'info', status: 200 }])
})

it('refuses the invented credentials of the warm-up', async () => {
  const { list } = await startWarm()
  for (const digit of '012345') {
    const invented = { ...credentials, app_id: 'app_0', api_key: apiKeyOf(digit.repeat(32)) }
    expect(await list(invented)).toMatchObject({ statusCode: 401 })
  }
})

/** The faults of a short run: one for each kind of failure in test/store/aws/failure.test.ts. */
const shortRun = /^(throttled|truncated response|hang)$/

const faultsOfAnyCall = wireFaults.filter(({ labels }) => !labels)
it.each(faultsOfAnyCall.filter(({ name }) => process.env.LONG || shortRun.test(name)))(
  'starts with one warning if the warm-up meets a fault: $name',
  async ({ wire }) => {
    const injectFault = () => proxy.inject('*', { label: '*', fault: wire, calls: Number.POSITIVE_INFINITY })
    let faultyCalls = 0
    injectFault()
    const { lines, list } = await startUntil('products.list', () => {
      faultyCalls = proxy.heal('*')
      if (faultyCalls === 0) injectFault()
      return faultyCalls > 0
    })
    proxy.heal('*')
    expect(faultyCalls).toBe(1)
    expectOneWarning(lines)
    expect(await list()).toMatchObject({ statusCode: 200 })
    expect(lines).toHaveLength(2)
  },
)

const databaseAt = (address: string) => ({ AWS_ENDPOINT_URL_DYNAMODB: address })
it.each<[string, () => Record<string, string>, RegExp, number]>([
  ['an address where no program listens', () => databaseAt('http://127.0.0.1:1'), /ECONNREFUSED/, 503],
  ['an unknown host', () => databaseAt('http://host.invalid'), /ENOTFOUND|EAI_AGAIN|AbortError/, 503],
  [
    'a failing TLS handshake',
    () => databaseAt(proxy.endpoint.replace('http', 'https')),
    /EPROTO|wrong version/,
    503,
  ],
  ['no credentials', () => ({ AWS_ACCESS_KEY_ID: '' }), /CredentialsProviderError/, 500],
  ['no name of a table', () => ({ TABLE_NAME: '' }), /TABLE_NAME is not set/, 500],
])('starts with one warning if the warm-up meets %s', async (_, environment, cause, statusCode) => {
  const isMet = (logged: readonly unknown[]) => cause.test(JSON.stringify(logged))
  const { lines, list } = await startUntil('products.list', isMet, environment())
  expectOneWarning(lines)
  expect(JSON.stringify(lines)).toMatch(cause)
  expect(await list()).toMatchObject({ statusCode })
})

it.each(['http', 'https'])(
  'closes the connection of a warm-up without a response over %s',
  async (protocol) => {
    const closed = Promise.withResolvers<void>()
    let connections = 0
    const silent = createServer((socket) => {
      connections += 1
      socket.resume().on('close', closed.resolve).on('error', closed.reject)
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const environment = databaseAt(`${protocol}://127.0.0.1:${port}`)
    const { lines } = await startUntil('products.list', () => connections > 0, environment)
    expectOneWarning(lines)
    await closed.promise
    silent.close()
  },
)

it.each<[string, () => void]>([
  ['reset', () => proxy.resetConnections()],
  ['closed', () => proxy.closeConnections()],
  ['silent', () => proxy.muteConnections()],
])(
  'retries without an error on a connection that was %s while the process was frozen',
  async (_, endConnections) => {
    const { lines, list, signal } = await startWarm()
    signal('SIGSTOP')
    endConnections()
    signal('SIGCONT')
    expect(await list()).toMatchObject({ statusCode: 200 })
    expect(lines).toMatchObject([{ level: 'info', status: 200 }])
  },
)
