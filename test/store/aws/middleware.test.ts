import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { compareClock, moment, now } from '../../../shared/clock.ts'
import { compareServerTime } from '../../../shared/store/aws/middleware.ts'

/** Less than the five minutes for which DynamoDB accepts a signature. */
const AHEAD = 200_000

let status: number
let signed = ''
const server = createServer((request, response) => {
  signed = String(request.headers['x-amz-date'])
  const date = new Date(Date.now() + AHEAD).toUTCString()
  response.writeHead(status, { date, 'content-type': 'application/x-amz-json-1.0' }).end('{}')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => compareClock(Date.now(), moment()))
afterAll(() => compareClock(Date.now(), moment()))

it.each([200, 400, 500])(
  'a response with the status %d corrects a clock that is wrong, also in signatures',
  async (answered) => {
    status = answered
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    })
    compareServerTime(client)
    for (const _ of [1, 2]) await client.send(new ListTablesCommand({})).catch(() => undefined)
    expect(Math.abs(now() - Date.now() - AHEAD)).toBeLessThan(1_500)
    const [, date, time] = /^(.{8})T(.{6})Z$/.exec(signed)!
    const iso = `${date!.replace(/(..)(..)$/, '-$1-$2')}T${time!.replace(/(..)(..)$/, ':$1:$2')}Z`
    expect(Math.abs(Date.parse(iso) - Date.now() - AHEAD)).toBeLessThan(2_500)
    client.destroy()
  },
)
