import { elapsedSince, forgetInstants, moment, now, recordingInstant, setClock } from '../shared/clock.ts'

afterEach(() => {
  setClock()
  forgetInstants()
})

describe('the clock', () => {
  it('is the system clock unless another is set', () => {
    setClock(() => 1_000)
    expect(now()).toBe(1_000)
    setClock()
    expect(Math.abs(now() - Date.now())).toBeLessThan(1_000)
  })

  it('returns strictly increasing microseconds even if time stands still or steps back (L1)', () => {
    setClock(() => 1_000)
    expect([recordingInstant(), recordingInstant(), recordingInstant()]).toEqual([
      1_000_000, 1_000_001, 1_000_002,
    ])
    setClock(() => 900)
    expect(recordingInstant()).toBe(1_000_003)
    setClock(() => 2_000)
    expect(recordingInstant()).toBe(2_000_000)
  })

  it.each<[string, number, number, number]>([
    ['both agree', 500, 500, 500],
    ['the wall clock is put back', -10_000, 500, 500],
    ['the wall clock stands still', 0, 500, 500],
    ['the monotonic clock stands still', 500, 0, 500],
  ])('measures elapsed milliseconds with the clock that is ahead: %s', (_, wall, monotonic, elapsed) => {
    const running = jest.spyOn(performance, 'now').mockReturnValue(7)
    setClock(() => 1_000)
    const start = moment()
    running.mockReturnValue(7 + monotonic)
    setClock(() => 1_000 + wall)
    expect(elapsedSince(start)).toBe(elapsed)
    running.mockRestore()
  })

  it('can be reset when all data is removed', () => {
    setClock(() => 2_000)
    recordingInstant()
    setClock(() => 1_000)
    forgetInstants()
    expect(recordingInstant()).toBe(1_000_000)
  })
})
