import { setTimeout as pause } from 'node:timers/promises'
import { budget, FUNCTION_TIMEOUT_MILLIS, pauseBeforeRetry } from '../shared/budget.ts'
import { remainingMillis, withinBudget } from '../shared/store/service.ts'
import { range } from './support/range.ts'

it('ends the budget of a request early enough to respond within 5 s and before the function times out', () => {
  expect(budget.request).toBeLessThan(5_000)
  expect(budget.request + budget.responseReserve).toBeLessThan(FUNCTION_TIMEOUT_MILLIS)
})

it.each([
  ['its whole budget if the function has more time', 60_000, budget.request],
  ['its whole budget if the time of the function is unknown', undefined, budget.request],
  [
    'the time of the function, less the reserve for the response, if that is shorter',
    budget.responseReserve + 300,
    300,
  ],
  ['no time if the function has less time than the reserve', budget.responseReserve - 1, 0],
])('gives a request %s', async (_, functionMillis, expected) => {
  // 0.4 ms have passed. The remaining time is rounded up to whole milliseconds, since timeouts have no
  // fractions.
  const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_000.4)
  const left = await withinBudget(functionMillis, async () => remainingMillis())
  clock.mockRestore()
  expect(left).toBe(expected)
})

it('shares the budget among all calls of a request', async () => {
  await withinBudget(budget.responseReserve + 100, async () => {
    await pause(20)
    expect(remainingMillis()).toBeLessThanOrEqual(81)
  })
})

it('has the whole budget outside a request', () => {
  expect(remainingMillis()).toBe(budget.request)
})

it.each([
  [1, budget.firstBackOff],
  [2, 2 * budget.firstBackOff],
  [4, 8 * budget.firstBackOff],
  [50, budget.longestBackOff],
])('pauses before retry %i for a random time of up to %i ms', (retry, bound) => {
  const pauses = range(500).map(() => pauseBeforeRetry(retry))
  expect(Math.max(...pauses)).toBeLessThanOrEqual(bound)
  expect(Math.max(...pauses)).toBeGreaterThan(bound * 0.9)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0)
  expect(Math.min(...pauses)).toBeLessThan(bound * 0.1)
})
