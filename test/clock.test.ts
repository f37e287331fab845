import { elapsedSince, forgetInstants, moment, now, recordingInstant, setClock } from '../shared/clock.ts'

afterEach(() => {
  setClock()
  forgetInstants()
})

describe('the clock', () => {
  it('is the real one, unless another is set', () => {
    setClock(() => 1_000)
    expect(now()).toBe(1_000)
    setClock()
    expect(Math.abs(now() - Date.now())).toBeLessThan(1_000)
  })

  it('gives instants in microseconds, each greater, though time stands still or steps back (L1)', () => {
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
  ])(
    'counts the milliseconds since a moment by the clock that is ahead: %s',
    (_, wall, monotonic, elapsed) => {
      const running = jest.spyOn(performance, 'now').mockReturnValue(7)
      setClock(() => 1_000)
      const start = moment()
      running.mockReturnValue(7 + monotonic)
      setClock(() => 1_000 + wall)
      expect(elapsedSince(start)).toBe(elapsed)
      running.mockRestore()
    },
  )

  it('begins anew where everything recorded is gone', () => {
    setClock(() => 2_000)
    recordingInstant()
    setClock(() => 1_000)
    forgetInstants()
    expect(recordingInstant()).toBe(1_000_000)
  })
})
