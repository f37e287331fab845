import fc from 'fast-check'
import { Clock } from '../shared/clock.ts'
import { SettableClock } from '../tools/testing/settable-clock.ts'
import { customerBody } from './support/requests/bodies.ts'
import { expectReplay, isReplay } from './support/requests/create-responses.ts'
import { newClient, serveForTests } from './support/requests/service.ts'

afterEach(() => jest.restoreAllMocks())

const setMachineClock = (millis: number): void => {
  jest.spyOn(Date, 'now').mockReturnValue(millis)
}

it('issues strictly increasing microseconds even if the machine’s clock stops or is set back a little', () => {
  const clock = new Clock()
  setMachineClock(1_000)
  expect(clock.recordingInstant()).toBe(1_000_000)
  expect(clock.recordingInstant()).toBe(1_000_001)
  setMachineClock(900)
  expect(clock.recordingInstant()).toBe(1_000_002)
  setMachineClock(2_000)
  expect(clock.recordingInstant()).toBe(2_000_000)
})

it('follows the machine’s clock again after that was far ahead and has been corrected', () => {
  const clock = new Clock()
  setMachineClock(600_000)
  clock.recordingInstant()
  setMachineClock(1_000)
  expect(clock.recordingInstant()).toBe(1_000_000)
  expect(clock.recordingInstant()).toBe(1_000_001)
})

it('issues no instant in a second that it has closed, even if the machine’s clock is set back', () => {
  const clock = new Clock()
  setMachineClock(600_500)
  expect(clock.recordingInstant()).toBe(600_500_000)
  setMachineClock(602_500)
  expect(clock.closeSeconds()).toBe(602)
  setMachineClock(1_000)
  expect(clock.recordingInstant()).toBe(602_000_000)
  expect(clock.recordingInstant()).toBe(602_000_001)
  expect(clock.closeSeconds()).toBe(602)
})

describe('a clock that a test sets', () => {
  const clockAt = (millis: number): SettableClock => {
    const clock = new SettableClock()
    clock.set(() => millis)
    return clock
  }

  it('keeps the order of records even if it is set far back', () => {
    const clock = clockAt(600_000)
    expect(clock.recordingInstant()).toBe(600_000_000)
    clock.set(() => 1_000)
    expect(clock.recordingInstant()).toBe(600_000_001)
  })

  it('closes the seconds of the instants that it has issued, even if it is set back', () => {
    const clock = clockAt(600_000)
    clock.recordingInstant()
    clock.set(() => 1_000)
    expect(clock.closeSeconds()).toBe(601)
    expect(clock.recordingInstant()).toBe(601_000_000)
    expect(clock.closeSeconds()).toBe(602)
  })

  it('is not corrected by a server', () => {
    const clock: Clock = clockAt(7)
    clock.compare(1_000_000, clock.moment())
    expect(clock.now()).toBe(7)
  })

  it('shows the machine’s time before it is set, and after it is reset', () => {
    const clock = new SettableClock()
    setMachineClock(5)
    expect(clock.now()).toBe(5)
    clock.set(() => 7)
    expect(clock.now()).toBe(7)
    clock.set()
    expect(clock.now()).toBe(5)
  })
})

describe('a clock that is compared with the clock of a server', () => {
  /** By the wall clock, in milliseconds since the epoch. */
  const SENT = 1_000_000
  const RECEIVED = 1_000_200
  let wallClock: jest.SpyInstance<number>
  let monotonicClock: jest.SpyInstance<number>
  let clock: Clock
  const setClocks = (wall: number, monotonic: number): void => {
    wallClock.mockReturnValue(wall)
    monotonicClock.mockReturnValue(monotonic)
  }
  beforeEach(() => {
    clock = new Clock()
    wallClock = jest.spyOn(Date, 'now')
    monotonicClock = jest.spyOn(performance, 'now')
  })
  const compare = (reported: number, received = RECEIVED): void => {
    setClocks(SENT, 0)
    const sent = clock.moment()
    setClocks(received, received - SENT)
    clock.compare(reported, sent)
  }

  it.each([
    { how: 'is equal', reported: SENT, received: RECEIVED },
    { how: 'is two seconds behind', reported: SENT - 2_000, received: RECEIVED },
    { how: 'is two seconds ahead', reported: SENT + 2_000, received: RECEIVED },
    { how: 'is equal, but its response took long', reported: SENT + 9_000, received: SENT + 10_000 },
  ])('is not corrected if the server’s clock $how', ({ reported, received }) => {
    compare(reported, received)
    expect(clock.now()).toBe(received)
  })

  // The reported second began up to 999 ms ago, and the response was sent up to 200 ms ago. The middle of
  // both is assumed.
  it.each([
    { how: 'behind', reported: SENT - 600_000, correction: 399.5 - 600_000 },
    { how: 'ahead', reported: SENT + 600_000, correction: 399.5 + 600_000 },
  ])('is corrected if the server’s clock is ten minutes $how', ({ reported, correction }) => {
    compare(reported)
    expect(clock.now()).toBe(Math.round(RECEIVED + correction))
  })

  it.each([
    { how: 'continues while both clocks run', wall: 5_000, monotonic: 5_000, elapsed: 5_000 },
    { how: 'ignores that the wall clock is set back', wall: -600_000, monotonic: 5_000, elapsed: 5_000 },
    { how: 'counts the time in which the function was frozen', wall: 90_000, monotonic: 0, elapsed: 90_000 },
  ])('after a correction, $how', ({ wall, monotonic, elapsed }) => {
    compare(SENT + 600_000)
    setClocks(RECEIVED + wall, RECEIVED - SENT + monotonic)
    expect(clock.now()).toBe(RECEIVED + 600_400 + elapsed)
  })

  it('is corrected at most once, however far from the server’s clock it is and whenever they are compared', () => {
    /** The milliseconds before the request, and until the response. */
    const comparisons = fc.array(fc.tuple(fc.nat(1_500), fc.nat(300)), { minLength: 2, maxLength: 40 })
    const offsets = fc.integer({ min: -5_000, max: 5_000 })
    const correctsOnce = fc.property(offsets, comparisons, (offset, waits) => {
      clock = new Clock()
      setClocks(SENT, 0)
      clock.compare(SENT, clock.moment())
      const firstCorrection = clock.now() - SENT
      let wall = SENT
      const corrections = waits.map(([wait, latency]) => {
        wall += wait
        setClocks(wall, wall - SENT)
        const sent = clock.moment()
        const reported = Math.floor((wall + offset) / 1_000) * 1_000
        wall += latency
        setClocks(wall, wall - SENT)
        clock.compare(reported, sent)
        return clock.now() - wall
      })
      expect(new Set([firstCorrection, ...corrections]).size).toBeLessThanOrEqual(2)
    })
    fc.assert(correctsOnce, { numRuns: 1_000 })
  })

  it('keeps a correction if the server reports no time', () => {
    compare(SENT + 600_000)
    clock.compare(Number.NaN, clock.moment())
    expect(clock.now()).toBe(RECEIVED + 600_400)
  })
})

describe('a wrong clock', () => {
  serveForTests()

  const now = Date.now
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('a machine whose clock is an hour %s responds like a machine whose clock is right', async (_, error) => {
    const client = await newClient()
    jest.spyOn(Date, 'now').mockImplementation(() => now() + error)
    const body = customerBody({ id: 'me' })
    const created = await client.post('/api/customers', body)
    expect(created.status).toBe(200)
    expect(isReplay(created)).toBe(false)
    expectReplay(await client.post('/api/customers', body))
    expectReplay(await client.post('/api/customers', body))
    expect((await client.post('/api/customers', { ...body, name: 'Other' })).status).toBe(409)
    const updates = await Promise.all(
      ['A', 'B', 'C'].map((name) => client.put('/api/customers/me', { id: 'me', name })),
    )
    expect(updates.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})
