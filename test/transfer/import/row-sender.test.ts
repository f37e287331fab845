import { BillingApiError } from '../../../client/error.ts'
import { rowSender } from '../../../tools/transfer/import/row-sender.ts'
import type { Service } from '../../../tools/transfer/import/service.ts'
import { type RowResult, rowOf } from '../../../tools/transfer/row.ts'
import { customerBody } from '../../support/requests/bodies.ts'

const row = rowOf({ file: '-', row: 1, type: 'customer', data: customerBody() })
const created: RowResult = { outcome: 'created', server_id: 'cus_1', errors: [] }
const MINUTE = 60_000

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Returns a function that sends a row to a service that responds after some minutes, each time with the next response. */
const sendTo = (responses: readonly [minutes: number, status: number][]) => {
  const left = [...responses]
  const create = async () => {
    const [minutes, status] = left.shift()!
    jest.advanceTimersByTime(minutes * MINUTE)
    if (status === 200) return created
    throw new BillingApiError(`answered ${status}`, { status })
  }
  const send = rowSender({ name: 'the service', appId: 'app', create } as unknown as Service)
  return () => send(row)
}

describe('rowSender', () => {
  it('reports a row as failed if all its attempts failed while others succeeded, and ends the import if none did', async () => {
    const send = sendTo([
      [8, 200],
      [9, 503],
      [2, 503],
    ])
    expect(await send()).toMatchObject({ outcome: 'created', server_id: 'cus_1' })
    expect(await send()).toEqual({ outcome: 'failed', server_id: null, errors: ['answered 503'] })
    await expect(send()).rejects.toThrow('the service has processed nothing for 600 s (answered 503)')
  })

  it.each([
    ['conflict', [409]],
    ['invalid', [400, 403, 413, 415, 422]],
    ['failed', [500]],
  ])('reports a row as %s if the response is one of %j', async (outcome, statuses) => {
    for (const status of statuses)
      expect(await sendTo([[11, status]])()).toMatchObject({ outcome, server_id: null })
  })

  it.each([401, 404, 405])('ends the import after the response %s, which no create returns', (status) =>
    expect(sendTo([[0, status]])()).rejects.toThrow(`the service refuses a request: answered ${status}`),
  )
})
