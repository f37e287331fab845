import { type ClientOptions, type CreateProduct, createClient, type Fetch } from '../../client/index.ts'
import { createLimiter } from '../../client/limiter.ts'
import { range } from '../support/range.ts'

type FetchResponse = Awaited<ReturnType<Fetch>>

const response = (status: number, retryAfter?: number | string): FetchResponse => ({
  status,
  headers: { get: (name) => (name === 'retry-after' && retryAfter !== undefined ? `${retryAfter}` : null) },
  text: async () => (status === 200 ? '{"data":{"product":{}}}' : 'busy'),
})
const ok = response(200)

const MINUTE = 60_000

beforeEach(() => {
  jest.useFakeTimers({ now: 0 })
  // Half of the longest possible delay.
  jest.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const productsOf = (fetch: Fetch, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: 'http://billing.test', appId: 'app', apiKey: 'key', fetch, ...options }).products
const bodies = (count: number): CreateProduct[] => range(count).map((id) => ({ id, name: `${id}` }))

/** Starts an endless `createAll` whose requests wait until `respond` responds to all of them. */
const createEndlessly = (concurrency?: number) => {
  let waiting: ((given: FetchResponse) => void)[] = []
  const controller = new AbortController()
  function* endless() {
    for (let id = 0; ; id += 1) yield { id, name: 'Basic' }
  }
  const ended = productsOf(() => new Promise((resolve) => waiting.push(resolve)))
    .createAll(endless(), { concurrency, signal: controller.signal })
    .catch((error: unknown) => error)
  const respond = (given: FetchResponse = ok) => {
    const answered = waiting
    waiting = []
    for (const resolve of answered) resolve(given)
  }
  return {
    respond,
    /** Returns the number of waiting requests a millisecond later. */
    active: async () => {
      await jest.advanceTimersByTimeAsync(1)
      return waiting.length
    },
    /** Aborts it, and responds to the requests that still wait. */
    stop: async () => {
      controller.abort(new Error('enough'))
      respond()
      expect(await ended).toEqual(new Error('enough'))
      expect(jest.getTimerCount()).toBe(0)
    },
  }
}

describe('the concurrency of createAll', () => {
  it.each<[string, number, FetchResponse, number[]]>([
    ['rises by one with each round of responses, up to the maximum', 20, ok, [16, 16, 17, 18, 19, 20, 20]],
    [
      'is halved after 429, once for all that were sent, down to 1',
      64,
      response(429, 0),
      [16, 8, 4, 2, 1, 1],
    ],
    ['is halved after 503', 64, response(503, 0), [16, 8, 4, 2, 1, 1]],
    ['is halved after an incomplete response', 64, { ...ok, text: async () => '{"data":{"pro' }, [16, 8, 4]],
  ])('starts with 16 requests, and %s', async (_, maximum, given, expected) => {
    const { active, respond, stop } = createEndlessly(maximum)
    const rounds: number[] = []
    for (const _ of expected) {
      rounds.push(await active())
      respond(given)
    }
    expect(rounds).toEqual(expected)
    await stop()
  })

  it('is 8 by default', async () => {
    const { active, stop } = createEndlessly()
    expect(await active()).toBe(8)
    await stop()
  })

  it('sends nothing until the Retry-After of a 429 has passed, and leaves no timer behind if it is stopped meanwhile', async () => {
    const { active, respond, stop } = createEndlessly(64)
    await active()
    respond(response(429, 7))
    expect(await active()).toBe(0)
    await jest.advanceTimersByTimeAsync(6_998)
    expect(await active()).toBe(8)
    respond(response(429, 7))
    expect(await active()).toBe(0)
    await stop()
  })
})

/** A service that takes 20 ms for a request and admits 50 requests per second, with bursts of 100. */
const limitedService = () => {
  let tokens = 100
  let filledAt = performance.now()
  let admitted = 0
  let refused = 0
  const fetch: Fetch = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const now = performance.now()
    tokens = Math.min(100, tokens + (now - filledAt) / 20)
    filledAt = now
    if (tokens < 1) {
      refused += 1
      return response(429, 1)
    }
    tokens -= 1
    admitted += 1
    return ok
  }
  return { fetch, counts: () => ({ admitted, refused }) }
}

/** Returns a fetch that always gives this response, and the times of its calls, in milliseconds. */
const refusing = (failure: FetchResponse) => {
  const started = performance.now()
  const times: number[] = []
  const fetch: Fetch = async () => {
    times.push(performance.now() - started)
    return failure
  }
  return { fetch, times }
}

describe('createAll', () => {
  it('creates 1,000 entities with a concurrency of 64 if 50 per second are admitted', async () => {
    const { fetch, counts } = limitedService()
    const creating = productsOf(fetch).createAll(bodies(1_000), { concurrency: 64 })
    // The minimum is 18 seconds. Few requests are refused until the rate is found.
    await jest.advanceTimersByTimeAsync(30_000)
    expect(counts().admitted).toBe(1_000)
    expect(await creating).toMatchObject({ created: 1_000, failed: [] })
    expect(counts().refused).toBeLessThan(250)
  })

  it('gives up when a create gets no response for ten minutes, and reports the outcomes so far', async () => {
    let sent = 0
    const fetch: Fetch = async () => {
      sent += 1
      return sent > 3 ? response(503) : ok
    }
    const products = productsOf(fetch, { retries: 1 })
    const creating = products.createAll(bodies(9), { concurrency: 2 }).catch((error: unknown) => error)
    await jest.advanceTimersByTimeAsync(9 * MINUTE)
    const sentInNineMinutes = sent
    expect(sentInNineMinutes).toBeGreaterThan(3 + 60)
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect(sent).toBeGreaterThan(sentInNineMinutes)
    const failure = { status: 503, summary: { created: 3, unchanged: 0, failed: [] } }
    expect(await creating).toMatchObject(failure)
    expect(jest.getTimerCount()).toBe(0)
  })

  it('sends nothing further after a failure that concerns all bodies, and does not wait for a retry', async () => {
    let sent = 0
    const fetch: Fetch = async () => {
      sent += 1
      const status = sent === 1 ? 401 : 503
      await new Promise((resolve) => setTimeout(resolve, sent))
      return response(status, 30)
    }
    const creating = productsOf(fetch)
      .createAll(bodies(40), { concurrency: 40 })
      .catch(({ status }) => status)
    await jest.advanceTimersByTimeAsync(20)
    expect(await creating).toBe(401)
    // The first response lets one more request start before its error stops the others.
    expect(sent).toBe(17)
  })

  it('starts no retry of a body after the time of retryFor', async () => {
    const { fetch, times } = refusing(response(503))
    const creating = productsOf(fetch)
      .createAll(bodies(1), { retryFor: 1_000 })
      .catch(({ status }) => status)
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect(await creating).toBe(503)
    expect(times).toEqual([0, 125, 375, 875])
  })

  it.each([
    [4, 'three retries of an internal error', []],
    [
      9,
      'three retries of an internal error among five other failures',
      [500, 503, 503, 503, 503, 503].map((status) => response(status)),
    ],
  ])('reports a body as refused at attempt %i, after %s', async (attempt, _, before) => {
    let sent = 0
    const fetch: Fetch = async () => before[sent++] ?? response(500)
    const creating = productsOf(fetch).createAll(bodies(1))
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect((await creating).failed).toMatchObject([{ error: { status: 500 } }])
    expect(sent).toBe(attempt)
  })
})

it('a limiter never allows more than its maximum, however many attempts succeed', async () => {
  const limiter = createLimiter(2)
  let active = 0
  const seen: number[] = []
  const attempt = async () => {
    active += 1
    seen.push(active)
    await Promise.resolve()
    active -= 1
    return {}
  }
  await Promise.all(range(50).map(() => limiter.run(attempt)))
  expect(Math.max(...seen)).toBe(2)
})

describe('a call', () => {
  it('ends an attempt that takes longer than ten seconds, by default', async () => {
    const times: number[] = []
    const silent: Fetch = (_, { signal }) => {
      times.push(Date.now())
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const listing = productsOf(silent, { retries: 1 })
      .list()
      .catch(({ message }) => message)
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect(await listing).toContain('timed out after 10000 ms')
    expect(times).toEqual([0, 10_125])
  })

  it.each([
    ['retries after a random delay that doubles', response(503), [0, 125, 375, 875]],
    ['waits for the Retry-After in addition to the delay', response(429, 3), [0, 3_125, 6_375, 9_875]],
    ['waits for its date', response(503, 'Thu, 01 Jan 1970 00:00:03 GMT'), [0, 3_125, 3_375, 3_875]],
    ['does not wait for a past date', response(503, 'Wed, 31 Dec 1969 00:00:00 GMT'), [0, 125, 375, 875]],
    ['ignores a Retry-After that is no time', response(503, 'soon'), [0, 125, 375, 875]],
    ['does not retry if the retry would begin after a minute', response(503, 29), [0, 29_125, 58_375]],
    ['does not retry if the Retry-After is longer than a minute', response(503, 61), [0]],
  ])('%s', async (_, failure, expected) => {
    const { fetch, times } = refusing(failure)
    const creating = productsOf(fetch)
      .create({ id: 1, name: 'Basic' })
      .catch(({ status }) => status)
    await jest.advanceTimersByTimeAsync(5 * MINUTE)
    expect(await creating).toBe(failure.status)
    expect(times).toEqual(expected)
  })
})
