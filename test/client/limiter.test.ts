import { type ClientOptions, type CreateProduct, createClient, type Fetch } from '../../client/index.ts'
import { createLimiter } from '../../client/limiter.ts'
import { range } from '../support/range.ts'
import { apiErrorOf } from './api-error.ts'

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
  // A random delay is then half of the longest possible one.
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
  let waiting: ((response: FetchResponse) => void)[] = []
  const controller = new AbortController()
  function* endlessBodies() {
    for (let id = 0; ; id += 1) yield { id, name: 'Basic' }
  }
  const ended = productsOf(() => new Promise((resolve) => waiting.push(resolve)))
    .createAll(endlessBodies(), { concurrency, signal: controller.signal })
    .catch((error: unknown) => error)
  const respond = (fetchResponse: FetchResponse = ok) => {
    const resolves = waiting
    waiting = []
    for (const resolve of resolves) resolve(fetchResponse)
  }
  return {
    respond,
    /** Returns the number of requests that wait for a response a millisecond later. */
    countActive: async () => {
      await jest.advanceTimersByTimeAsync(1)
      return waiting.length
    },
    /** Aborts the `createAll`, and responds to the requests that still wait. */
    stop: async () => {
      controller.abort(new Error('enough'))
      respond()
      expect(await ended).toEqual(new Error('enough'))
      expect(jest.getTimerCount()).toBe(0)
    },
  }
}

describe('the concurrency of createAll', () => {
  it.each<{ change: string; maximum: number; given: FetchResponse; rounds: number[] }>([
    {
      change: 'rises by one with each round of responses, up to the maximum',
      maximum: 20,
      given: ok,
      rounds: [16, 16, 17, 18, 19, 20, 20],
    },
    {
      change: 'is halved once with each round of 429 responses, down to 1',
      maximum: 64,
      given: response(429, 0),
      rounds: [16, 8, 4, 2, 1, 1],
    },
    {
      change: 'is halved once with each round of 503 responses, down to 1',
      maximum: 64,
      given: response(503, 0),
      rounds: [16, 8, 4, 2, 1, 1],
    },
    {
      change: 'is halved once with each round of incomplete responses',
      maximum: 64,
      given: { ...ok, text: async () => '{"data":{"pro' },
      rounds: [16, 8, 4],
    },
  ])('is 16 at the start, and $change', async ({ maximum, given, rounds }) => {
    const { countActive, respond, stop } = createEndlessly(maximum)
    const counts: number[] = []
    while (counts.length < rounds.length) {
      counts.push(await countActive())
      respond(given)
    }
    expect(counts).toEqual(rounds)
    await stop()
  })

  it('is 8 by default', async () => {
    const { countActive, stop } = createEndlessly()
    expect(await countActive()).toBe(8)
    await stop()
  })

  it('is 0 until the Retry-After of a 429 has passed, and a stop meanwhile leaves no timer behind', async () => {
    const { countActive, respond, stop } = createEndlessly(64)
    await countActive()
    respond(response(429, 7))
    expect(await countActive()).toBe(0)
    await jest.advanceTimersByTimeAsync(6_998)
    expect(await countActive()).toBe(8)
    respond(response(429, 7))
    expect(await countActive()).toBe(0)
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

/** Returns a `fetch` that always gives this response, and the times of its calls, in milliseconds from now. */
const fetchGiving = (failure: FetchResponse) => {
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
    // The minimum is 18 seconds: 100 are admitted at once, and 50 each second. Few are refused until the rate is found.
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
    const failure = apiErrorOf(products.createAll(bodies(9), { concurrency: 2 }))
    await jest.advanceTimersByTimeAsync(9 * MINUTE)
    const sentInNineMinutes = sent
    expect(sentInNineMinutes).toBeGreaterThan(3 + 60)
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect(sent).toBeGreaterThan(sentInNineMinutes)
    const summary = { created: 3, unchanged: 0, failed: [] }
    expect(await failure).toMatchObject({ status: 503, summary })
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
    const failure = apiErrorOf(productsOf(fetch).createAll(bodies(40), { concurrency: 40 }))
    await jest.advanceTimersByTimeAsync(20)
    expect(await failure).toMatchObject({ status: 401 })
    // The first response lets one more request start before its error stops the others.
    expect(sent).toBe(17)
  })

  it('starts no retry of a body after the time of retryFor', async () => {
    const { fetch, times } = fetchGiving(response(503))
    const failure = apiErrorOf(productsOf(fetch).createAll(bodies(1), { retryFor: 1_000 }))
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect(await failure).toMatchObject({ status: 503 })
    expect(times).toEqual([0, 125, 375, 875])
  })

  it.each([
    { statuses: [500, 500, 500, 500], failures: 'an internal error' },
    {
      statuses: [500, 503, 503, 503, 503, 503, 500, 500, 500],
      failures: 'an internal error among five other failures',
    },
  ])('reports a body as refused after three retries of $failures', async ({ statuses }) => {
    let sent = 0
    const fetch: Fetch = async () => {
      const status = statuses[sent] ?? 200
      sent += 1
      return response(status)
    }
    const creating = productsOf(fetch).createAll(bodies(1))
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect((await creating).failed).toMatchObject([{ error: { status: 500 } }])
    expect(sent).toBe(statuses.length)
  })
})

it('a limiter never runs more attempts at once than its maximum, however many succeed', async () => {
  const limiter = createLimiter(2)
  let active = 0
  const counts: number[] = []
  const attempt = async () => {
    active += 1
    counts.push(active)
    await Promise.resolve()
    active -= 1
    return {}
  }
  await Promise.all(range(50).map(() => limiter.run(attempt)))
  expect(Math.max(...counts)).toBe(2)
})

describe('a call', () => {
  it('ends an attempt that takes longer than ten seconds, by default', async () => {
    const times: number[] = []
    const neverResponding: Fetch = (_, { signal }) => {
      times.push(Date.now())
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const failure = apiErrorOf(productsOf(neverResponding, { retries: 1 }).list())
    await jest.advanceTimersByTimeAsync(MINUTE)
    expect((await failure).message).toContain('timed out after 10000 ms')
    expect(times).toEqual([0, 10_125])
  })

  it.each([
    ['retries after a random delay that doubles', response(503), [0, 125, 375, 875]],
    ['waits for the Retry-After in addition to the delay', response(429, 3), [0, 3_125, 6_375, 9_875]],
    [
      'waits until the date in Retry-After',
      response(503, 'Thu, 01 Jan 1970 00:00:03 GMT'),
      [0, 3_125, 3_375, 3_875],
    ],
    ['ignores a Retry-After in the past', response(503, 'Wed, 31 Dec 1969 00:00:00 GMT'), [0, 125, 375, 875]],
    ['ignores a Retry-After that is not a time', response(503, 'soon'), [0, 125, 375, 875]],
    ['does not retry if the retry would begin after a minute', response(503, 29), [0, 29_125, 58_375]],
    ['does not retry if the Retry-After is longer than a minute', response(503, 61), [0]],
  ])('%s', async (_, refusal, expectedTimes) => {
    const { fetch, times } = fetchGiving(refusal)
    const failure = apiErrorOf(productsOf(fetch).create({ id: 1, name: 'Basic' }))
    await jest.advanceTimersByTimeAsync(5 * MINUTE)
    expect(await failure).toMatchObject({ status: refusal.status })
    expect(times).toEqual(expectedTimes)
  })
})
