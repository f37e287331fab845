import { BillingApiError } from '../../client/error.ts'
import { delayBefore, pause, retryAfterFrom } from '../../client/retry.ts'

describe('the pause before a retry', () => {
  it.each([
    [0, 250],
    [30, 8_000],
  ])('is random up to a bound: retry %s within %s ms', (retry, bound) => {
    const delays = Array.from({ length: 2_000 }, () =>
      delayBefore(retry, new BillingApiError('', { status: 503 })),
    )
    const longest = Math.max(...delays)
    expect(longest).toBeLessThanOrEqual(bound)
    expect(longest).toBeGreaterThan(bound * 0.9)
    expect(Math.min(...delays)).toBeLessThan(bound * 0.1)
  })
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
