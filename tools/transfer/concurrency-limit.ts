/** The limit at the start. */
const INITIAL = 16

/**
 * Adapts the number of concurrent requests to what a service takes, by additive increase and multiplicative decrease
 * (AIMD): a round of successes adds one, a failure halves.
 */
export class ConcurrencyLimit {
  readonly #max: number
  #limit: number
  #active = 0
  #halvings = 0
  #pausedUntil = 0
  #timer: NodeJS.Timeout | undefined
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
    this.#limit = Math.min(max, INITIAL)
  }

  /** Resolves, in the order of calls, when a request may start, with the number of halvings before it. */
  acquire(): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#halvings))
      this.#start()
    })
  }

  /** Ends a request that succeeded. */
  succeed(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit)
    this.#end()
  }

  /** Ends a request that started after so many halvings and failed. No request starts for `pauseMillis`. */
  fail(halvings: number, pauseMillis: number): void {
    // A request from before the last halving says nothing about the limit since then.
    if (halvings === this.#halvings) {
      this.#limit = Math.max(1, this.#limit / 2)
      this.#halvings += 1
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pauseMillis)
    this.#end()
  }

  /** Lets all waiting requests start, so that they can notice that the import was aborted. */
  release(): void {
    this.#limit = Infinity
    this.#pausedUntil = 0
    this.#start()
  }

  #end(): void {
    this.#active -= 1
    this.#start()
  }

  #start(): void {
    const pauseMillis = this.#pausedUntil - performance.now()
    if (pauseMillis > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#start()
      }, pauseMillis)
      return
    }
    while (this.#waiting.length > 0 && this.#active < Math.floor(this.#limit)) {
      this.#active += 1
      this.#waiting.shift()?.()
    }
  }
}
