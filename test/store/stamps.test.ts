import fc from 'fast-check'
import { type Stamps, stampAfter, stampsAfter, wasExecuted } from '../../shared/store/stamps.ts'
import { range } from '../support/range.ts'

const stampAt = (millis: number, newest = ''): string => stampAfter(newest, millis * 1_000)

/** Of an item that processes have written whose clocks showed these times, in order. */
const lastStamp = (moments: readonly number[]): string | undefined =>
  moments.reduce<string | undefined>((newest, millis) => stampAt(millis, newest), undefined)

const now = Date.now()
/** Up to ten minutes wrong. */
const clockTimes = fc.integer({ min: now - 600_000, max: now + 600_000 })
const manyClockTimes = fc.array(clockTimes, { maxLength: 20 })

it('a stamp is greater than the newest stamp, even if that comes from a clock ahead of ours', () => {
  fc.assert(
    fc.property(manyClockTimes, clockTimes, (before, time) => {
      const newest = lastStamp(before)
      expect(stampAt(time, newest) > (newest ?? '')).toBe(true)
    }),
  )
})

it('a stamp is greater than every stamp that an earlier write could have after the same newest stamp', () => {
  fc.assert(
    fc.property(manyClockTimes, clockTimes, clockTimes, (before, one, other) => {
      const newest = lastStamp(before)
      const early = Math.min(one, other)
      const late = Math.max(one, other) + 1
      expect(stampAt(early, newest) < stampAt(late, newest)).toBe(true)
    }),
  )
})

it('a stamp after that of a clock ahead of ours has twice the length, until our clock has passed that stamp', () => {
  const { length } = stampAt(now)
  const ahead = stampAt(now + 600_000)
  const second = stampAt(now + 1, ahead)
  const third = stampAt(now + 2, second)
  const afterCatchingUp = stampAt(now + 600_001, third)
  expect(second).toHaveLength(2 * length)
  expect(third).toHaveLength(2 * length)
  expect(afterCatchingUp).toHaveLength(length)
})

it.each([
  [0, true],
  [1, true],
  [2, true],
  [3, true],
  [4, undefined],
])('after %i later writes of an item, it is %s that a write was executed', (laterWrites, executed) => {
  const write = (item: Stamps) => stampsAfter(item, stampAt(now, item.stamp))
  const written = write(write({}))
  const refused = stampAt(now, written.stamp)
  const item = range(laterWrites).reduce(write, written)
  expect(wasExecuted(written.stamp!, item)).toBe(executed)
  if (laterWrites <= 2) expect(wasExecuted(refused, item)).toBe(false)
})
