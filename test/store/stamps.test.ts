import fc from 'fast-check'
import { stampAfter } from '../../shared/store/stamps.ts'
import { forgetInstants, setClock } from '../support/clock.ts'

afterEach(() => {
  setClock()
  forgetInstants()
})

/** Returns the stamp of a process that starts at this moment. */
const drawnAt = (millis: number, newest?: string): string => {
  forgetInstants()
  setClock(() => millis)
  return stampAfter(newest)
}

const stampOf = (moments: readonly number[]): string | undefined =>
  moments.reduce<string | undefined>((newest, millis) => drawnAt(millis, newest), undefined)

const right = Date.now()
/** The time of a clock that is up to ten minutes wrong. */
const moment = fc.integer({ min: right - 600_000, max: right + 600_000 })
const moments = fc.array(moment, { maxLength: 20 })

it('a stamp is greater than the newest, even if that is from a clock ahead of ours', () => {
  fc.assert(
    fc.property(moments, moment, (before, now) => {
      const newest = stampOf(before)
      expect(drawnAt(now, newest) > (newest ?? '')).toBe(true)
    }),
  )
})

it('a stamp is greater than any that an earlier write could have made after the same newest', () => {
  fc.assert(
    fc.property(moments, moment, moment, (before, one, other) => {
      const newest = stampOf(before)
      const [early, late] = [Math.min(one, other), Math.max(one, other) + 1]
      expect(drawnAt(early, newest) < drawnAt(late, newest)).toBe(true)
    }),
  )
})

it('a stamp is as short as the first one once our clock has caught up', () => {
  const [first, ahead] = [drawnAt(right), drawnAt(right + 600_000)]
  const after = drawnAt(right + 1, ahead)
  expect(after.length).toBe(2 * first.length)
  expect(drawnAt(right + 2, after)).toHaveLength(after.length)
  expect(drawnAt(right + 600_001, after)).toHaveLength(first.length)
})
