import { BillingApiError } from '../../client/error.ts'
import { delayBefore, pause, retryAfterFrom } from '../../client/retry.ts'

describe('the pause before a retry', () => {
  it.each([
    [0, 250],
    [30, 8_000],
  ])('makes a random pause before retry %s, of %s ms at most', (retry, bound) => {
    const delays = Array.from({ length: 2_000 }, () =>
      delayBefore(retry, new BillingApiError('', { status: 503 })),
    )
    const longest = Math.max(...delays)
    expect(longest).toBeLessThanOrEqual(bound)
    expect(longest).toBeGreaterThan(bound * 0.9)
    expect(Math.min(...delays)).toBeLessThan(bound * 0.1)
  })
})

describe('a pause', () => {
  const before = AbortSignal.abort(new Error('before'))
  it.each([
    ['before it begins', () => before, 'before'],
    ['while it waits', () => AbortSignal.timeout(1), 'due to timeout'],
  ])('ends a pause with the reason of a signal that is aborted %s', async (_, signal, reason) => {
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
  ])('reads the Retry-After %j as %s seconds', (text, expected) => {
    expect(retryAfterFrom(text)).toBe(expected)
  })

  it('reads the date in a Retry-After as the seconds until then', () => {
    const seconds = retryAfterFrom(new Date(Date.now() + 30_000).toUTCString())
    expect(seconds).toBeGreaterThan(25)
    expect(seconds).toBeLessThanOrEqual(30)
  })
})
