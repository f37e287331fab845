import { AsyncLocalStorage } from 'node:async_hooks'

/** The time budget of a request in milliseconds: attempts, timeouts and back-off of its DynamoDB calls. */
export const budget = {
  /** All calls of a request together. */
  request: 4_000,
  /** One attempt of a call, from the first byte sent to the last byte received. */
  attempt: 1_200,
  connect: 500,
  /** The longest idle time of a connection. DynamoDB closes idle connections after about a minute. */
  idle: 50_000,
  /** Attempts of a call that fails with a throttle, a server error or a network error. */
  attempts: 4,
  /** The maximum of the first pause between attempts. It doubles with each attempt, up to `longestPause`. */
  backOff: 50,
  longestPause: 800,
  /** The writes of one update, and the milliseconds for them, while other updates of the same entity come first. */
  updateWrites: 6,
  update: 1_500,
  /** The maximum of the first pause between these writes. It doubles with each write, up to `longestTurn`. */
  updateBackOff: 100,
  longestUpdatePause: 600,
  /** The longest that a start waits for its warm-up. */
  warmUp: 300,
  /** Reserved at the end of the function's timeout to send a response. */
  responseReserve: 500,
} as const

/** The Lambda timeout. It exceeds the budget, so that a request that runs out of time still gets a response. */
export const FUNCTION_TIMEOUT_MILLIS = 6_000

const deadlines = new AsyncLocalStorage<number>()

/**
 * Runs the work of a request with one deadline for all its calls, authentication included. `functionMillis` is the time
 * left until the Lambda timeout, undefined if unknown.
 */
export const withinBudget = <T>(functionMillis: number | undefined, work: () => Promise<T>): Promise<T> => {
  const left = Math.min(budget.request, (functionMillis ?? Number.POSITIVE_INFINITY) - budget.responseReserve)
  return deadlines.run(performance.now() + left, work)
}

/** Returns the milliseconds left of the current request's budget; the whole budget outside a request. */
export const remainingMillis = (): number => {
  const deadline = deadlines.getStore()
  return deadline === undefined ? budget.request : Math.max(0, Math.ceil(deadline - performance.now()))
}

/** Returns a random pause before retry number `retry`, counted from 1, below a bound that doubles from `first` to `longest`. */
const randomPause = (retry: number, first: number, longest: number): number =>
  Math.random() * Math.min(longest, first * 2 ** (retry - 1))

/** Returns the pause in milliseconds before retry number `retry` of a call that failed temporarily. */
export const pauseBeforeRetry = (retry: number): number =>
  randomPause(retry, budget.backOff, budget.longestPause)

/** Returns the pause in milliseconds after `writes` writes of an update that others came before. */
export const pauseAfterConflict = (writes: number): number =>
  randomPause(writes, budget.updateBackOff, budget.longestUpdatePause)
