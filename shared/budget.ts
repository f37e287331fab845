/** How long a request's DynamoDB calls take, and how often they are repeated. Times are in milliseconds. */
export const budget = {
  /** All calls of a request together. */
  request: 4_000,
  /** One attempt of a call, from the first byte sent to the last byte received. */
  attempt: 1_200,
  /** Opening a connection. */
  connect: 500,
  /** The longest idle time of a connection. DynamoDB closes idle connections after about a minute. */
  idleConnection: 50_000,
  /** The attempts of a call, the first included. Throttling, server errors and network errors are retried. */
  maxAttempts: 4,
  /** The limit of the random pause before a first retry. It doubles with each, up to `longestBackOff`. */
  firstBackOff: 50,
  longestBackOff: 800,
  /**
   * The maximum number of writes of one update, and the time limit for all of them. A write fails if another
   * update of the same entity came first.
   */
  maxUpdateWrites: 6,
  update: 1_500,
  /** The limit of the random pause after a first conflict. It doubles up to `longestUpdateBackOff`. */
  firstUpdateBackOff: 100,
  longestUpdateBackOff: 600,
  /** The longest time that a start waits for its warm-up. */
  warmUp: 300,
  /** The time at the end of the function's timeout that is reserved for sending a response. */
  responseReserve: 500,
} as const

/**
 * The Lambda timeout. It exceeds the budget, so that a request that runs out of time still gets a response.
 */
export const FUNCTION_TIMEOUT_MILLIS = 6_000

/** `failure` is counted from 1. The limit of the pause doubles from `first` to `longest`. */
const randomPause = (failure: number, first: number, longest: number): number =>
  Math.random() * Math.min(longest, first * 2 ** (failure - 1))

/** The wait before retry number `retry`, counted from 1, of a call that failed temporarily. */
export const pauseBeforeRetry = (retry: number): number =>
  randomPause(retry, budget.firstBackOff, budget.longestBackOff)

/** The wait after write number `write`, counted from 1, if another update came first. */
export const pauseAfterConflict = (write: number): number =>
  randomPause(write, budget.firstUpdateBackOff, budget.longestUpdateBackOff)
