import { budget } from '../../shared/budget.ts'

export const realBudget = { ...budget }

/**
 * A budget for busy machines: one attempt, one update or a warm-up may take all the time of a request, up to
 * the function's timeout. Retries begin almost at once. Tests use it unless they test time limits.
 */
export const ampleBudget = {
  ...realBudget,
  request: 5_400,
  attempt: 5_400,
  connect: 2_000,
  firstBackOff: 1,
  update: 5_400,
  warmUp: 5_400,
}

const quarterBudget = () => {
  const { request, attempt, connect, firstBackOff, longestBackOff } = realBudget
  const times = Object.entries({ request, attempt, connect, firstBackOff, longestBackOff })
  return Object.fromEntries(times.map(([name, millis]) => [name, millis / 4]))
}

/**
 * A quarter of the real budget, so that faults that exhaust it take less time; in the long form, the real
 * budget.
 */
export const shortBudget: Partial<Record<keyof typeof budget, number>> = process.env.LONG
  ? realBudget
  : quarterBudget()

export const setBudget = (values: typeof shortBudget): void => void Object.assign(budget, values)
