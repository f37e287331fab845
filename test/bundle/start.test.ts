import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { bundleFunctions, ENTRY_FILE } from '../../lib/bundle/bundle.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { products } from '../../shared/resources/product.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { prepareTable } from '../../tools/local/database.ts'
import { inProcess, lambdaEnvironment } from '../bundles/running-function.ts'
import { type FaultProxy, startFaultProxy, type WireFault } from '../support/database/fault-proxy.ts'
import { engineForTests } from '../support/database/test-engine.ts'
import { wireFaults } from '../support/database/wire-faults.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { range } from '../support/range.ts'

/** The bundled functions, each in its own process, against an engine with injected faults. */

const outDir = temporaryFolder()
const table = `start-${randomUUID()}`
const endpoints = [products.list, invoices.create]
let proxy: FaultProxy
engineForTests()
let credentials: Credentials
const running: Awaited<ReturnType<typeof inProcess>>[] = []

beforeAll(async () => {
  const engine = process.env.TEST_ENGINE as string
  await Promise.all([bundleFunctions(outDir, endpoints), prepareTable(engine, table)])
  credentials = await createApplication('Start')
  proxy = await startFaultProxy(engine)
})
afterEach(() => Promise.all(running.splice(0).map(({ stop }) => stop())))
afterAll(() => proxy.stop())

/** Starts a function. `lines` grows with its log. */
const start = async (id: string, environment: Record<string, string> = {}) => {
  const lines: Record<string, unknown>[] = []
  const started = await inProcess(
    {
      file: join(outDir, ...id.split('.'), ENTRY_FILE),
      timeoutMillis: FUNCTION_TIMEOUT_MILLIS,
      environment: { ...lambdaEnvironment(proxy.endpoint), TABLE_NAME: table, ...environment },
    },
    (line) => lines.push(JSON.parse(line)),
  )
  running.push(started)
  // Gives the calls that it has made time to arrive: if this process was suspended, they may follow the message.
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
 * Starts a function, again if necessary: on a busy machine the 300 ms of a warm-up may pass before a call is made. After a
 * minute, returns one that does not meet the condition, so that the test says what is wrong with it.
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

it.each(endpoints)('reads one item that does not exist when $id starts, and logs nothing', async ({ id }) => {
  let seen: unknown[] = []
  const signed: unknown[] = []
  const watch: WireFault = async ({ request, response, forward }) => {
    const [ofThisStart, { status, headers, body }] = [seen, await forward()]
    ofThisStart.push([request.headers['x-amz-target'], body.toString()])
    signed.push([request.headers.authorization, request.headers['x-amz-security-token']])
    response.writeHead(status, headers).end(body)
  }
  proxy.inject('*', { label: '*', fault: watch, calls: Number.POSITIVE_INFINITY })
  const { lines } = await startUntil(id, (logged) => {
    if (logged.length > 0) seen = []
    return logged.length === 0
  })
  proxy.heal('*')
  expect(seen).toEqual([['DynamoDB_20120810.GetItem', '{}']])
  // Signed with the credentials of the environment, as Lambda provides them.
  const signature =
    /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, .*Signature=/
  expect(signed.at(-1)).toEqual([expect.stringMatching(signature), 'local'])
  expect(lines).toEqual([])
})

it('reuses the connection of the warm-up for the first request, and refuses the credentials of the warm-up', async () => {
  const { lines, list } = await startWarm()
  const opened = proxy.connectionCount()
  expect(await list()).toMatchObject({ statusCode: 200 })
  expect(proxy.connectionCount()).toBe(opened)
  expect(lines).toMatchObject([{ level: 'info', status: 200 }])
  for (const digit of '012345') {
    const madeUp = { ...credentials, app_id: 'app_0', api_key: apiKeyOf(digit.repeat(32)) }
    expect(await list(madeUp)).toMatchObject({ statusCode: 401 })
  }
})

/** The faults of a short run: one for each kind of failure, which failure.test.ts lists. */
const kinds = /^(throttled|truncated response|hang)$/

const general = wireFaults.filter(({ labels }) => !labels)
it.each(general.filter(({ name }) => process.env.LONG || kinds.test(name)))(
  'starts with one warning if the warm-up meets a fault: $name',
  async ({ wire }) => {
    const spoil = () => proxy.inject('*', { label: '*', fault: wire, calls: Number.POSITIVE_INFINITY })
    let met = 0
    spoil()
    const { lines, list } = await startUntil('products.list', () => {
      met = proxy.heal('*')
      if (met === 0) spoil()
      return met > 0
    })
    proxy.heal('*')
    expect(met).toBe(1)
    expectOneWarning(lines)
    expect(await list()).toMatchObject({ statusCode: 200 })
    expect(lines).toHaveLength(2)
  },
)

const at = (address: string) => ({ AWS_ENDPOINT_URL_DYNAMODB: address })
it.each<[string, () => Record<string, string>, RegExp, number]>([
  ['nothing listens', () => at('http://127.0.0.1:1'), /ECONNREFUSED/, 503],
  ['an unknown host', () => at('http://host.invalid'), /ENOTFOUND|EAI_AGAIN|AbortError/, 503],
  ['a failing TLS handshake', () => at(proxy.endpoint.replace('http', 'https')), /EPROTO|wrong version/, 503],
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
    const address = at(`${protocol}://127.0.0.1:${port}`)
    const { lines } = await startUntil('products.list', () => connections > 0, address)
    expectOneWarning(lines)
    await closed.promise
    silent.close()
  },
)

it.each<[string, () => void]>([
  ['reset', () => proxy.resetConnections()],
  ['closed', () => proxy.closeConnections()],
  ['silent', () => proxy.muteConnections()],
])('retries without an error on a connection that was %s while the process was frozen', async (_, die) => {
  const { lines, list, signal } = await startWarm()
  signal('SIGSTOP')
  die()
  signal('SIGCONT')
  expect(await list()).toMatchObject({ statusCode: 200 })
  expect(lines).toMatchObject([{ level: 'info', status: 200 }])
})
