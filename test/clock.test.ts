import fc from 'fast-check'
import { Clock } from '../shared/clock.ts'
import { SettableClock } from '../tools/testing/settable-clock.ts'

afterEach(() => jest.restoreAllMocks())

/** Lets the machine's clock show these milliseconds since the epoch. */
const setMachine = (millis: number): void => {
  jest.spyOn(Date, 'now').mockReturnValue(millis)
}

it('gives strictly increasing microseconds even if time stands still or steps back a little', () => {
  const clock = new Clock()
  setMachine(1_000)
  expect(clock.recordingInstant()).toBe(1_000_000)
  expect(clock.recordingInstant()).toBe(1_000_001)
  setMachine(900)
  expect(clock.recordingInstant()).toBe(1_000_002)
  setMachine(2_000)
  expect(clock.recordingInstant()).toBe(2_000_000)
})

it('follows the machine’s clock again once that was ahead and is corrected', () => {
  const clock = new Clock()
  setMachine(600_000)
  clock.recordingInstant()
  setMachine(1_000)
  expect(clock.recordingInstant()).toBe(1_000_000)
  expect(clock.recordingInstant()).toBe(1_000_001)
})

it('gives no instant in a second that it has closed, even if the machine’s clock is set back', () => {
  const clock = new Clock()
  setMachine(600_500)
  expect(clock.recordingInstant()).toBe(600_500_000)
  setMachine(602_500)
  expect(clock.closeSeconds()).toBe(602)
  setMachine(1_000)
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

  it('closes the seconds that it has given, after it is set back', () => {
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
    setMachine(5)
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
  let system: jest.SpyInstance<number>
  let running: jest.SpyInstance<number>
  let clock: Clock
  /** Lets the machine's two clocks tell these times. */
  const tell = (wall: number, monotonic: number): void => {
    system.mockReturnValue(wall)
    running.mockReturnValue(monotonic)
  }
  beforeEach(() => {
    clock = new Clock()
    system = jest.spyOn(Date, 'now')
    running = jest.spyOn(performance, 'now')
  })
  /** Compares with a server that tells `told`, asked at `start` and answering at `received`. */
  const compare = (told: number, received = later): void => {
    tell(start, 0)
    const sent = clock.moment()
    tell(received, received - start)
    clock.compare(told, sent)
  }

  it.each<[string, number, number, number]>([
    ['is right if they agree', start, later, 0],
    ['is right if it is two seconds ahead', start - 2_000, later, 0],
    ['is right if it is two seconds behind', start + 2_000, later, 0],
    ['is right if only the response took long', start + 9_000, start + 10_000, 0],
    ['is corrected if it is ten minutes ahead', start - 600_000, later, 399.5 - 600_000],
    ['is corrected if it is ten minutes behind', start + 600_000, later, 600_399.5],
  ])('compares its clock with that of a server: %s', (_, told, received, correction) => {
    compare(told, received)
    expect(clock.now()).toBe(Math.round(received + correction))
  })

  it.each<[string, number, number, number]>([
    ['counts on while both clocks do', 5_000, 5_000, 5_000],
    ['is right at once if it is set back', -600_000, 5_000, 5_000],
    ['counts the time in which the function was frozen', 90_000, 0, 90_000],
  ])('runs on after a comparison with a server: %s', (_, wall, monotonic, elapsed) => {
    compare(start + 600_000)
    tell(later + wall, 200 + monotonic)
    expect(clock.now()).toBe(later + 600_400 + elapsed)
  })

  it('corrects its clock at most once, however far the server’s is from it and whenever they are compared', () => {
    const steps = fc.array(fc.tuple(fc.nat(1_500), fc.nat(300)), { minLength: 2, maxLength: 40 })
    const check = (offset: number, waits: readonly (readonly [number, number])[]) => {
      clock = new Clock()
      tell(start, 0)
      clock.compare(start, clock.moment())
      const before = clock.now() - start
      let wall = start
      const corrections = waits.map(([wait, latency]) => {
        wall += wait
        tell(wall, wall - start)
        const sent = clock.moment()
        const told = Math.floor((wall + offset) / 1_000) * 1_000
        wall += latency
        tell(wall, wall - start)
        clock.compare(told, sent)
        return clock.now() - wall
      })
      expect(new Set([before, ...corrections]).size).toBeLessThanOrEqual(2)
    }
    fc.assert(fc.property(fc.integer({ min: -5_000, max: 5_000 }), steps, check), { numRuns: 1_000 })
  })

  it('keeps a correction if the server sends no time', () => {
    compare(start + 600_000)
    clock.compare(Number.NaN, clock.moment())
    expect(clock.now()).toBe(later + 600_400)
  })
})
