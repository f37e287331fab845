import {
  budget,
  FUNCTION_TIMEOUT_MILLIS,
  pauseBeforeRetry,
  remainingMillis,
  withinBudget,
} from '../shared/budget.ts'
import { range } from './support/range.ts'

it('ends the budget of a request early enough to respond within 5 s and before the function times out', () => {
  expect(budget.request).toBeLessThan(5_000)
  expect(budget.request + budget.responseReserve).toBeLessThan(FUNCTION_TIMEOUT_MILLIS)
})

it.each([
  ['all of it, when the function has more', 60_000, budget.request],
  ['all of it, when nothing is known of the function', undefined, budget.request],
  ['what the function has left but for its response', budget.responseReserve + 300, 300],
  ['nothing, when that is less than a response takes', budget.responseReserve - 1, 0],
])('gives a request %s', async (_, functionMillis, expected) => {
  // A timeout is in whole milliseconds.
  const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_000.4)
  const left = await withinBudget(functionMillis, async () => remainingMillis())
  clock.mockRestore()
  expect(left).toBe(expected)
})

it('shares the budget among all calls of a request, and has all of it outside of one', async () => {
  await withinBudget(budget.responseReserve + 100, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(remainingMillis()).toBeLessThanOrEqual(81)
  })
  expect(remainingMillis()).toBe(budget.request)
})

it.each([
  [1, budget.firstBackOff],
  [2, 2 * budget.firstBackOff],
  [4, 8 * budget.firstBackOff],
  [50, budget.longestBackOff],
])('pauses before retry %i for a random time up to its bound', (retry, bound) => {
  const pauses = range(500).map(() => pauseBeforeRetry(retry))
  expect(Math.max(...pauses)).toBeLessThanOrEqual(bound)
  expect(Math.max(...pauses)).toBeGreaterThan(bound * 0.9)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0)
  expect(Math.min(...pauses)).toBeLessThan(bound * 0.1)
})
