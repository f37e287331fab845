import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { Sha256 as SdkSha256 } from '@smithy/core/checksum'
import { catalogue } from '../../shared/catalogue.ts'
import { Clock } from '../../shared/clock.ts'
import { adaptMiddleware, Sha256, streamCollector } from '../../shared/cold-start/sdk/internals.ts'
import { warmUp } from '../../shared/cold-start/warm-up.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { compareServerTime } from '../../shared/store/aws/database.ts'
import { currentService } from '../../shared/store/service.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { serveForTests } from '../support/requests/service.ts'

/**
 * Tests of the changes to the SDK that use undocumented names. A test that fails after an upgrade shows which
 * change to revise.
 */

/**
 * How far the clock of the server is ahead: less than the five minutes for which DynamoDB accepts a
 * signature.
 */
const AHEAD = 200_000

let status = 200
const received: IncomingMessage[] = []
const server = createServer((request, response) => {
  received.push(request)
  const date = new Date(Date.now() + AHEAD).toUTCString()
  response.writeHead(status, { date, 'content-type': 'application/x-amz-json-1.0' }).end('{"TableNames":[]}')
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(() => {
  received.splice(0)
  status = 200
})
afterEach(() => {
  jest.restoreAllMocks()
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const plainClient = (options: object = {}): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    ...options,
  })
const adaptedClient = (options: object = {}): DynamoDBClient => {
  const client = plainClient(options)
  adaptMiddleware(client)
  return client
}
const listTables = (client: DynamoDBClient) => client.send(new ListTablesCommand({}))

describe.each([
  ['the SDK’s', plainClient, { attempts: 4, logged: 1, userAgent: /^aws-sdk-js\// }],
  ['our', adaptedClient, { attempts: 1, logged: 0, userAgent: /^billing-data-api$/ }],
] as const)('%s client', (whose, make, expected) => {
  it(`${whose} client makes ${expected.attempts} attempts of a failing call`, async () => {
    status = 500
    await expect(listTables(make())).rejects.toThrow()
    expect(received).toHaveLength(expected.attempts)
  })

  it(`${whose} client logs ${expected.logged} lines for a call`, async () => {
    const info = jest.fn()
    await listTables(make({ logger: { info, debug() {}, warn() {}, error() {} } }))
    expect(info).toHaveBeenCalledTimes(expected.logged)
  })

  it(`${whose} client sends a user agent like ${expected.userAgent}`, async () => {
    await listTables(make())
    expect(received[0]!.headers['user-agent']).toMatch(expected.userAgent)
  })
})

it('collects a response body of several chunks', async () => {
  const chunks = [Buffer.from('{"Table'), Buffer.from('Names":'), Buffer.from('[]}')]
  expect(Buffer.from(await streamCollector(Readable.from(chunks))).toString()).toBe('{"TableNames":[]}')
})

it('collects the responses of the SDK’s client in place of its own collector', async () => {
  const collect = jest.fn(streamCollector)
  expect(await listTables(plainClient({ streamCollector: collect }))).toMatchObject({ TableNames: [] })
  expect(collect).toHaveBeenCalledTimes(1)
})

it.each([200, 400, 500])(
  'a response with the status %d corrects a clock that is wrong, also in signatures',
  async (responseStatus) => {
    status = responseStatus
    // The time is fixed at a whole second, since the server reports no fractions.
    const second = Math.floor(Date.now() / 1_000) * 1_000
    jest.spyOn(Date, 'now').mockReturnValue(second)
    jest.spyOn(performance, 'now').mockReturnValue(performance.now())
    const client = adaptedClient()
    const clock = new Clock()
    compareServerTime(client, { clock: () => clock })
    for (const _ of [1, 2]) await listTables(client).catch(() => undefined)
    // The middle of the second that the server reports.
    expect(clock.now()).toBe(second + AHEAD + 500)
    const [, date, time] = /^(.{8})T(.{6})Z$/.exec(String(received.at(-1)!.headers['x-amz-date']))!
    const iso = `${date!.replace(/(..)(..)$/, '-$1-$2')}T${time!.replace(/(..)(..)$/, ':$1:$2')}Z`
    expect(Date.parse(iso)).toBe(second + AHEAD)
  },
)

const bytes = Uint8Array.from({ length: 32 }, (_, index) => index)
it.each([
  ['no secret', undefined],
  ['a text', 'AWS4secret'],
  ['bytes', bytes],
  ['a part of other bytes', bytes.subarray(8, 24)],
  ['a buffer', bytes.buffer],
])(
  'our digest equals the SDK’s with %s as the secret, also if the secret was used before',
  async (_, secret) => {
    const digestOf = (Digest: typeof Sha256 | typeof SdkSha256) => {
      const digest = new Digest(secret)
      for (const text of ['', 'POST\n/', 'ü']) digest.update(Buffer.from(text))
      return digest.digest()
    }
    const expected = Buffer.from(await digestOf(SdkSha256))
    expect(Buffer.from(await digestOf(Sha256))).toEqual(expected)
    expect(Buffer.from(await digestOf(Sha256))).toEqual(expected)
  },
)

describe('the warm-up', () => {
  serveForTests()

  const statusesOf = async (endpoint: Endpoint): Promise<number[]> => {
    const handler = await sourceHandlers(endpoint)
    const statuses: number[] = []
    const recordingHandler: Handler = async (...request) => {
      const response = await handler(...request)
      statuses.push(response.statusCode)
      return response
    }
    await warmUp(recordingHandler)
    return statuses
  }

  it.each(catalogue)(
    'the warm-up of $id processes one request that is refused, and rehearses others that reach the work',
    async (endpoint) => {
      const statuses = await statusesOf(endpoint)
      expect(statuses.filter((status) => status === 401)).toHaveLength(1)
      // Rehearsed requests have no body. A read finds an empty item, a create is refused, and an update erases
      // an empty item.
      const rehearsedStatus = endpoint.operation === 'create' ? 400 : 200
      const others = new Set(statuses.filter((status) => status !== 401))
      expect(others).toEqual(new Set([rehearsedStatus]))
    },
  )

  it('leaves no rehearsed key in the cache of the service', async () => {
    const [endpoint] = catalogue
    await statusesOf(endpoint!)
    expect(currentService().keyCache.size).toBe(0)
  })
})
