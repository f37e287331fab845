import { retrying } from '../../tools/transfer/retrying.ts'
import type { Answer, Target } from '../../tools/transfer/target.ts'
import { upTo } from '../support/lists.ts'

const ok: Answer = { status: 200, headers: {}, text: '{"data":{}}' }
const answer = (status: number, retryAfter?: number): Answer => ({
  ...{ status, text: 'busy' },
  headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
})

const MINUTE = 60_000
const GIVE_UP_MILLIS = 10 * MINUTE

beforeEach(() => {
  jest.useFakeTimers()
  // The longest possible backoff.
  jest.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

/** A target whose requests wait until `respond` answers all of them, and an endless import into it. */
const importInto = (concurrency: number) => {
  let waiting: ((answer: Answer) => void)[] = []
  const controller = new AbortController()
  const send = retrying(
    {
      ...{ name: 'the service', appId: 'app', close: () => undefined },
      send: () => new Promise((resolve) => waiting.push(resolve)),
    },
    { concurrency, signal: controller.signal },
  )
  const importing = upTo(concurrency * 2).map(async () => {
    while (!controller.signal.aborted) await send('GET', '/')
  })
  return {
    /** The number of concurrent requests, a millisecond later. */
    active: async () => {
      await jest.advanceTimersByTimeAsync(1)
      return waiting.length
    },
    respond: (given: Answer = ok) => {
      const answered = waiting
      waiting = []
      for (const resolve of answered) resolve(given)
    },
    /** Ends the import; the requests that still wait are answered. */
    stop: async () => {
      controller.abort()
      for (const resolve of waiting) resolve(ok)
      await Promise.allSettled(importing)
    },
  }
}

describe('the concurrency of an import', () => {
  it('starts at 16, grows by one with each round of successes, and ends at the maximum', async () => {
    const { active, respond, stop } = importInto(20)
    const rounds: number[] = []
    for (let round = 0; round < 7; round += 1) {
      rounds.push(await active())
      respond()
    }
    expect(rounds).toEqual([16, 16, 17, 18, 19, 20, 20])
    await stop()
  })

  it.each([
    ['429', answer(429, 0)],
    ['503', answer(503, 0)],
    ['a lost answer', answer(0)],
  ])('is halved after %s, once for all requests that were sent before, down to 1', async (_, failure) => {
    const { active, respond, stop } = importInto(64)
    const rounds: number[] = []
    for (let round = 0; round < 6; round += 1) {
      rounds.push(await active())
      respond(failure)
    }
    expect(rounds).toEqual([16, 8, 4, 2, 1, 1])
    await stop()
  })

  it('is zero while the Retry-After of a 429 lasts', async () => {
    const { active, respond, stop } = importInto(64)
    await active()
    respond(answer(429, 7))
    expect(await active()).toBe(0)
    await jest.advanceTimersByTimeAsync(6_998)
    expect(await active()).toBe(8)
    await stop()
  })
})

describe('a request of an import', () => {
  /** Sends one request to a target that answers in turn, the last one for ever. Returns when each attempt was made. */
  const attempts = (answers: readonly Answer[]) => {
    const [started, times]: [number, number[]] = [performance.now(), []]
    const send: Target['send'] = async () => {
      times.push(performance.now() - started)
      return answers[Math.min(times.length, answers.length) - 1]!
    }
    const target = { ...{ name: 'the service', appId: 'app', close: () => undefined }, send }
    const { signal } = new AbortController()
    const sent = retrying(target, { concurrency: 1, signal })('GET', '/')
    return { times, sent }
  }

  it.each([
    ['is retried after a delay that doubles', answer(503), [0, 250, 750, 1_750, 3_750]],
    ['waits for Retry-After besides', answer(503, 3), [0, 3_250, 6_750, 10_750, 15_750]],
    ['waits for Retry-After of a 429 too', answer(429, 3), [0, 3_250, 6_750, 10_750, 15_750]],
    ['waits at most ten minutes', answer(503, 99_999_999), [0, 600_250]],
  ])('%s', async (_, failure, expected) => {
    const { times, sent } = attempts([...expected.slice(1).map(() => failure), ok])
    await jest.advanceTimersByTimeAsync(GIVE_UP_MILLIS + MINUTE)
    expect(await sent).toBe(ok)
    expect(times).toEqual(expected)
  })

  it('is retried at least every 30 seconds, and ends the import after ten minutes without an answer', async () => {
    const { times, sent } = attempts([answer(0)])
    const message = 'the service has processed nothing for 600 s (No answer: busy)'
    const ended = expect(sent).rejects.toThrow(message)
    await jest.advanceTimersByTimeAsync(GIVE_UP_MILLIS + MINUTE)
    await ended
    const delays = times.slice(1).map((time, index) => time - times[index]!)
    expect(Math.max(...delays)).toBe(30_000)
    expect(times.at(-1)).toBeGreaterThan(GIVE_UP_MILLIS)
  })

  it.each([
    [4, 'three retries of an internal error', []],
    [6, 'an internal error that follows five other failures', upTo(5).map(() => answer(503))],
  ])('is given up at attempt %i, after %s', async (attempt, _, before) => {
    const { times, sent } = attempts([...before, answer(500)])
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect(times).toHaveLength(attempt)
    expect(await sent).toMatchObject({ status: 500 })
  })
})
