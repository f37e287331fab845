import { AsyncLocalStorage } from 'node:async_hooks'

/** How long a request may work on DynamoDB, in milliseconds: the one setting of attempts, time-outs and back-off. */
export const budget = {
  /** All calls of a request together. */
  request: 4_000,
  /** One attempt of one call, from sending to the last byte. */
  attempt: 1_200,
  connect: 500,
  attempts: 3,
  /** The longest first pause between attempts; it doubles at each further one. */
  backOff: 50,
} as const

/** The function's timeout: above the budget, so that what is left over becomes an answer. */
export const FUNCTION_TIMEOUT_MILLIS = 6_000

const deadlines = new AsyncLocalStorage<number>()

/** Runs a request's work with a deadline that all its calls share. */
export const withinBudget = <T>(work: () => Promise<T>): Promise<T> =>
  deadlines.run(performance.now() + budget.request, work)

/** Milliseconds that the current request has left; outside a request, a whole budget. */
export const remainingMillis = (): number => {
  const deadline = deadlines.getStore()
  return deadline === undefined ? budget.request : Math.max(0, Math.ceil(deadline - performance.now()))
}

/** The pause before retry number `attempt`, from 1: random up to a bound that doubles ("full jitter"). */
export const pauseBefore = (attempt: number): number => Math.random() * budget.backOff * 2 ** (attempt - 1)
