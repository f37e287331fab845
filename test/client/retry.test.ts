import { BillingApiError } from '../../client/error.ts'
import { delayBefore, isTransient, pause, retryAfterFrom } from '../../client/retry.ts'

const failed = (status: number, retryAfter?: number) => new BillingApiError('', { status, retryAfter })
/** The shortest and the longest of many delays. */
const extremes = (retry: number, error: BillingApiError) => {
  const delays = Array.from({ length: 2_000 }, () => delayBefore(retry, error))
  return { shortest: Math.min(...delays), longest: Math.max(...delays) }
}

describe('the pause before a retry', () => {
  it.each([
    [0, 250],
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [30, 8_000],
  ])('is random up to a bound: retry %s within %s ms', (retry, bound) => {
    const { shortest, longest } = extremes(retry, failed(503))
    expect(longest).toBeLessThanOrEqual(bound)
    expect(longest).toBeGreaterThan(bound * 0.9)
    expect(shortest).toBeLessThan(bound * 0.1)
  })

  it('is added to Retry-After', () => {
    const { shortest, longest } = extremes(0, failed(429, 2))
    expect(shortest).toBeGreaterThanOrEqual(2_000)
    expect(longest).toBeLessThanOrEqual(2_250)
  })
})

it('only throttles, overload and incomplete responses are transient', () => {
  const statuses = [0, 429, 502, 503, 504, 400, 401, 403, 404, 405, 409, 413, 415, 422, 500]
  expect(statuses.filter((status) => isTransient(failed(status)))).toEqual([0, 429, 502, 503, 504])
})

describe('the wait of a pause', () => {
  const before = AbortSignal.abort(new Error('before'))
  it.each([
    ['before it began', () => before, 'before'],
    ['meanwhile', () => AbortSignal.timeout(1), 'due to timeout'],
  ])('rejects with the reason of a signal that was aborted %s', async (_, signal, reason) => {
    await expect(pause(3_600_000, signal())).rejects.toThrow(reason)
  })
})

describe('a Retry-After header', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('of %j is %s seconds', (text, expected) => {
    expect(retryAfterFrom(text)).toBe(expected)
  })

  it('may be a date in the future', () => {
    const seconds = retryAfterFrom(new Date(Date.now() + 30_000).toUTCString())
    expect(seconds).toBeGreaterThan(25)
    expect(seconds).toBeLessThanOrEqual(30)
  })
})
