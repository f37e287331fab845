import { createServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { adaptMiddleware, streamCollector } from '../../../shared/store/aws/internals.ts'

/** The changes to the SDK by undocumented names. A test that fails after an upgrade names the change to reconsider. */

const received: IncomingMessage[] = []
const server = createServer((request, response) => {
  received.push(request)
  const type = { 'content-type': 'application/x-amz-json-1.0' }
  response.writeHead(request.headers['x-fail'] ? 500 : 200, type).end('{"TableNames":[]}')
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(() => received.splice(0))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const client = (options: object = {}): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    ...options,
  })
const adapted = (options: object = {}): DynamoDBClient => {
  const made = client(options)
  adaptMiddleware(made)
  return made
}
const call = (from: DynamoDBClient) => from.send(new ListTablesCommand({}))

/** Makes the server respond with 500 to the client's calls. */
const failing = (made: DynamoDBClient): DynamoDBClient => {
  const fail = (next: (args: never) => unknown) => (args: { request: { headers: object } }) => {
    Object.assign(args.request.headers, { 'x-fail': '1' })
    return next(args as never)
  }
  made.middlewareStack.add(fail as never, { step: 'build' })
  return made
}

describe.each([
  ['the SDK’s', client, { attempts: 4, logged: 1, userAgent: /^aws-sdk-js\// }],
  ['our', adapted, { attempts: 1, logged: 0, userAgent: /^billing-data-api$/ }],
] as const)('%s client', (whose, make, expected) => {
  it(`${whose} client makes ${expected.attempts} attempts of a failing call`, async () => {
    await expect(call(failing(make()))).rejects.toThrow()
    expect(received).toHaveLength(expected.attempts)
  })

  it(`${whose} client logs ${expected.logged} lines for a call`, async () => {
    const info = jest.fn()
    await call(make({ logger: { info, debug() {}, warn() {}, error() {} } }))
    expect(info).toHaveBeenCalledTimes(expected.logged)
  })

  it(`${whose} client sends a user agent like ${expected.userAgent}`, async () => {
    await call(make())
    expect(received[0]!.headers['user-agent']).toMatch(expected.userAgent)
  })
})

it.each([
  ['the SDK’s', 1, {}],
  ['our', 0, { streamCollector }],
])('%s stream collector pipes a response body %i times', async (_, pipes, options) => {
  const pipe = jest.spyOn(IncomingMessage.prototype, 'pipe')
  expect(await call(client(options))).toMatchObject({ TableNames: [] })
  expect(pipe).toHaveBeenCalledTimes(pipes)
  pipe.mockRestore()
})
