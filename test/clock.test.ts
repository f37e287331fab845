import fc from 'fast-check'
import {
  closeSeconds,
  compareClock,
  forgetInstants,
  moment,
  now,
  recordingInstant,
  setClock,
} from '../shared/clock.ts'

afterEach(() => {
  setClock()
  forgetInstants()
})

it('gives strictly increasing microseconds even if time stands still or steps back', () => {
  setClock(() => 1_000)
  expect([recordingInstant(), recordingInstant(), recordingInstant()]).toEqual([
    1_000_000, 1_000_001, 1_000_002,
  ])
  setClock(() => 900)
  expect(recordingInstant()).toBe(1_000_003)
  setClock(() => 2_000)
  expect(recordingInstant()).toBe(2_000_000)
})

it('follows the system clock again once that was ahead and is corrected', () => {
  const system = jest.spyOn(Date, 'now').mockReturnValue(600_000)
  recordingInstant()
  system.mockReturnValue(1_000)
  expect([recordingInstant(), recordingInstant()]).toEqual([1_000_000, 1_000_001])
  system.mockRestore()
})

it('gives no instant in a second that it has closed, even if the system clock is set back', () => {
  const system = jest.spyOn(Date, 'now').mockReturnValue(600_500)
  const before = recordingInstant()
  system.mockReturnValue(602_500)
  expect(closeSeconds()).toBe(602)
  system.mockReturnValue(1_000)
  expect([before, recordingInstant(), recordingInstant()]).toEqual([600_500_000, 602_000_000, 602_000_001])
  expect(closeSeconds()).toBe(602)
  system.mockRestore()
})

it('closes the seconds that a clock ahead has given, after it is set back', () => {
  setClock(() => 600_000)
  expect(recordingInstant()).toBe(600_000_000)
  setClock()
  const system = jest.spyOn(Date, 'now').mockReturnValue(1_000)
  const second = recordingInstant()
  expect([second, closeSeconds(), recordingInstant()]).toEqual([600_000_001, 601, 601_000_000])
  expect(closeSeconds()).toBe(602)
  system.mockRestore()
})

describe('a clock that is compared with the clock of a server', () => {
  const [start, later] = [1_000_000, 1_000_200]
  let system: jest.SpyInstance<number>
  let running: jest.SpyInstance<number>
  /** Lets the machine's two clocks tell these times. */
  const tell = (wall: number, monotonic: number): void => {
    system.mockReturnValue(wall)
    running.mockReturnValue(monotonic)
  }
  beforeEach(() => {
    system = jest.spyOn(Date, 'now')
    running = jest.spyOn(performance, 'now')
  })
  afterEach(() => {
    jest.restoreAllMocks()
    compareClock(Date.now(), moment())
  })
  /** Compares with a server that tells `told`, asked at `start` and answering at `received`. */
  const compare = (told: number, received = later): void => {
    tell(start, 0)
    const sent = moment()
    tell(received, received - start)
    compareClock(told, sent)
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
    expect(now()).toBe(Math.round(received + correction))
  })

  it.each<[string, number, number, number]>([
    ['counts on while both clocks do', 5_000, 5_000, 5_000],
    ['is right at once if it is set back', -600_000, 5_000, 5_000],
    ['counts the time in which the function was frozen', 90_000, 0, 90_000],
  ])('runs on after a comparison with a server: %s', (_, wall, monotonic, elapsed) => {
    compare(start + 600_000)
    tell(later + wall, 200 + monotonic)
    expect(now()).toBe(later + 600_400 + elapsed)
  })

  it('corrects its clock at most once, however far the server’s is from it and whenever they are compared', () => {
    const steps = fc.array(fc.tuple(fc.nat(1_500), fc.nat(300)), { minLength: 2, maxLength: 40 })
    const check = (offset: number, waits: readonly (readonly [number, number])[]) => {
      tell(start, 0)
      compareClock(start, moment())
      const before = now() - start
      let wall = start
      const corrections = waits.map(([wait, latency]) => {
        wall += wait
        tell(wall, wall - start)
        const sent = moment()
        const told = Math.floor((wall + offset) / 1_000) * 1_000
        wall += latency
        tell(wall, wall - start)
        compareClock(told, sent)
        return now() - wall
      })
      expect(new Set([before, ...corrections]).size).toBeLessThanOrEqual(2)
    }
    fc.assert(fc.property(fc.integer({ min: -5_000, max: 5_000 }), steps, check), { numRuns: 1_000 })
  })

  it('keeps a correction if the server sends no time', () => {
    compare(start + 600_000)
    compareClock(Number.NaN, moment())
    expect(now()).toBe(later + 600_400)
  })

  it('does not correct a clock that was set, as a test double sets it', () => {
    setClock(() => 7)
    compareClock(start, moment())
    expect(now()).toBe(7)
  })
})
