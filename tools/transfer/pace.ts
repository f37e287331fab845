/** Requests at once, to begin with. */
const FIRST = 16

/**
 * Finds how many requests a service takes at once: one more for each round that goes well, half as many after a
 * refusal ("additive increase, multiplicative decrease").
 */
export class Pace {
  readonly #most: number
  #limit: number
  #underWay = 0
  #halved = -Infinity
  #closedUntil = 0
  #timer: NodeJS.Timeout | undefined
  readonly #waiting: (() => void)[] = []

  /** `most` bounds the requests at once. */
  constructor(most: number) {
    this.#most = most
    this.#limit = Math.min(most, FIRST)
  }

  /** Resolves, in order of calls, when one more request may be sent, with the moment; `leave` takes it. */
  enter(): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(performance.now()))
      this.#admit()
    })
  }

  /** Ends a request that entered at `entered` and was answered as it should be. */
  leave(entered: number): void
  /** Ends a request that was refused or lost; nobody enters for `closedMillis`. */
  leave(entered: number, closedMillis: number): void
  leave(entered: number, closedMillis?: number): void {
    this.#underWay -= 1
    if (closedMillis === undefined) this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit)
    // What was sent before the last halving says nothing about the pace since then.
    else if (entered > this.#halved) {
      this.#limit = Math.max(1, this.#limit / 2)
      this.#halved = performance.now()
    }
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + (closedMillis ?? 0))
    this.#admit()
  }

  /** Lets everybody enter from now on, so that nobody waits for an import that has ended. */
  end(): void {
    this.#limit = Infinity
    this.#closedUntil = 0
    this.#admit()
  }

  #admit(): void {
    const closed = this.#closedUntil - performance.now()
    if (closed > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#admit()
      }, closed)
      return
    }
    while (this.#waiting.length > 0 && this.#underWay < Math.floor(this.#limit)) {
      this.#underWay += 1
      this.#waiting.shift()?.()
    }
  }
}
