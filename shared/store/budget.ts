import { AsyncLocalStorage } from 'node:async_hooks'

/** How long a request may work on DynamoDB, in milliseconds: the one setting of attempts, time-outs and back-off. */
export const budget = {
  /** All calls of a request together. */
  request: 4_000,
  /** One attempt of one call, from sending to the last byte. */
  attempt: 1_200,
  connect: 500,
  /** The longest that a connection may wait for its next use: DynamoDB closes it after about a minute. */
  idle: 50_000,
  /** How often a call is tried that fails by throttling or a fault of the service or the network. */
  attempts: 4,
  /** The longest first pause between attempts; it doubles at each further one up to `longestPause`. */
  backOff: 50,
  longestPause: 800,
  /** What the function keeps for itself of its own timeout, to answer with what is left. */
  early: 500,
} as const

/** The function's timeout: above the budget, so that what is left over becomes an answer. */
export const FUNCTION_TIMEOUT_MILLIS = 6_000

const deadlines = new AsyncLocalStorage<number>()

/**
 * Runs a request's work with a deadline that all its calls share, authentication included. `functionMillis` is what
 * the function has left until its own timeout, where something is known of it.
 */
export const withinBudget = <T>(functionMillis: number | undefined, work: () => Promise<T>): Promise<T> => {
  const left = Math.min(budget.request, (functionMillis ?? Number.POSITIVE_INFINITY) - budget.early)
  return deadlines.run(performance.now() + left, work)
}

/** Milliseconds that the current request has left; outside a request, a whole budget. */
export const remainingMillis = (): number => {
  const deadline = deadlines.getStore()
  return deadline === undefined ? budget.request : Math.max(0, Math.ceil(deadline - performance.now()))
}

/** The pause before retry number `retry`, from 1: random up to a bound that doubles ("full jitter"). */
export const pauseBefore = (retry: number): number =>
  Math.random() * Math.min(budget.longestPause, budget.backOff * 2 ** (retry - 1))
