import { BillingApiError } from '../../../client/error.ts'
import { createLimiter } from '../../../client/limiter.ts'
import { rowSender } from '../../../tools/transfer/import/row-sender.ts'
import type { Result, Row } from '../../../tools/transfer/row.ts'
import { customerBody } from '../../support/requests/bodies.ts'

const row: Row = { file: '-', row: 1, type: 'customer', data: customerBody() }
const created: Result = { outcome: 'created', server_id: 'cus_1', errors: [] }
const MINUTE = 60_000

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

interface Response {
  readonly minutes: number
  readonly status: number
}

/** Returns a function that sends a row to a service, which responds to each call with the next response. */
const senderTo = (responses: readonly Response[]) => {
  const remaining = [...responses]
  const create = async () => {
    const { minutes, status } = remaining.shift()!
    jest.advanceTimersByTime(minutes * MINUTE)
    if (status === 200) return created
    throw new BillingApiError(`answered ${status}`, { status })
  }
  const send = rowSender({
    url: 'the service',
    appId: 'app',
    limiter: createLimiter(1),
    create,
    find: async () => undefined,
    isRecorded: async () => false,
  })
  return () => send(row)
}

describe('rowSender', () => {
  it('reports a row as failed if all its attempts failed while others succeeded, and ends the import if none did', async () => {
    const send = senderTo([
      { minutes: 8, status: 200 },
      { minutes: 9, status: 503 },
      { minutes: 2, status: 503 },
    ])
    expect(await send()).toEqual(created)
    expect(await send()).toEqual({ outcome: 'failed', server_id: null, errors: ['answered 503'] })
    await expect(send()).rejects.toThrow('the service has processed no request for 10 minutes (answered 503)')
  })

  it.each([
    { outcome: 'conflict', statuses: [409] },
    { outcome: 'invalid', statuses: [400, 403, 413, 415, 422] },
    { outcome: 'failed', statuses: [500] },
  ])('reports a row as $outcome if the response is one of $statuses', async ({ outcome, statuses }) => {
    for (const status of statuses)
      expect(await senderTo([{ minutes: 11, status }])()).toMatchObject({ outcome, server_id: null })
  })

  it.each([401, 404, 405])(
    'ends the import after a response with status %s, which no create returns',
    (status) =>
      expect(senderTo([{ minutes: 0, status }])()).rejects.toThrow(
        `the service refuses a request: answered ${status}`,
      ),
  )
})
