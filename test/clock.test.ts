import fc from 'fast-check'
import { Clock } from '../shared/clock.ts'
import { SettableClock } from '../tools/testing/settable-clock.ts'

afterEach(() => jest.restoreAllMocks())

/** Sets the machine's clock to milliseconds since the epoch. */
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

it('follows the machine’s clock again after that was ahead and has been corrected', () => {
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

  it('closes the seconds of the instants that it has issued, after it is set back', () => {
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

  it('shows the machine’s time until it is set, and after it is no longer set', () => {
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
  const start = 1_000_000
  const later = 1_000_200
  let wallClock: jest.SpyInstance<number>
  let monotonicClock: jest.SpyInstance<number>
  let clock: Clock
  /** Sets the machine's two clocks, in milliseconds. */
  const setMachineClocks = (wall: number, monotonic: number): void => {
    wallClock.mockReturnValue(wall)
    monotonicClock.mockReturnValue(monotonic)
  }
  beforeEach(() => {
    clock = new Clock()
    wallClock = jest.spyOn(Date, 'now')
    monotonicClock = jest.spyOn(performance, 'now')
  })
  /** Compares the clock with a server's time, which was requested at `start` and received at `received`. */
  const compare = (serverTime: number, received = later): void => {
    setMachineClocks(start, 0)
    const sent = clock.moment()
    setMachineClocks(received, received - start)
    clock.compare(serverTime, sent)
  }

  it.each<[string, number, number, number]>([
    ['is not corrected if it agrees with the server', start, later, 0],
    ['is not corrected if it is two seconds ahead', start - 2_000, later, 0],
    ['is not corrected if it is two seconds behind', start + 2_000, later, 0],
    ['is not corrected if only the response took long', start + 9_000, start + 10_000, 0],
    ['is corrected if it is ten minutes ahead', start - 600_000, later, 399.5 - 600_000],
    ['is corrected if it is ten minutes behind', start + 600_000, later, 600_399.5],
  ])('%s', (_, serverTime, received, correction) => {
    compare(serverTime, received)
    expect(clock.now()).toBe(Math.round(received + correction))
  })

  it.each<[string, number, number, number]>([
    ['continues while both clocks run', 5_000, 5_000, 5_000],
    ['is corrected at once if it is set back', -600_000, 5_000, 5_000],
    ['includes the time in which the function was frozen', 90_000, 0, 90_000],
  ])('%s after a comparison with a server', (_, wall, monotonic, elapsed) => {
    compare(start + 600_000)
    setMachineClocks(later + wall, 200 + monotonic)
    expect(clock.now()).toBe(later + 600_400 + elapsed)
  })

  it('is corrected at most once, whatever the difference from the server’s clock and whenever they are compared', () => {
    const steps = fc.array(fc.tuple(fc.nat(1_500), fc.nat(300)), { minLength: 2, maxLength: 40 })
    const check = (offset: number, waits: readonly (readonly [number, number])[]) => {
      clock = new Clock()
      setMachineClocks(start, 0)
      clock.compare(start, clock.moment())
      const before = clock.now() - start
      let wall = start
      const corrections = waits.map(([wait, latency]) => {
        wall += wait
        setMachineClocks(wall, wall - start)
        const sent = clock.moment()
        const serverTime = Math.floor((wall + offset) / 1_000) * 1_000
        wall += latency
        setMachineClocks(wall, wall - start)
        clock.compare(serverTime, sent)
        return clock.now() - wall
      })
      expect(new Set([before, ...corrections]).size).toBeLessThanOrEqual(2)
    }
    fc.assert(fc.property(fc.integer({ min: -5_000, max: 5_000 }), steps, check), { numRuns: 1_000 })
  })

  it('keeps its correction if the server sends no time', () => {
    compare(start + 600_000)
    clock.compare(Number.NaN, clock.moment())
    expect(clock.now()).toBe(later + 600_400)
  })
})
