/** The tolerance between two clocks in milliseconds: servers report whole seconds, and responses take time. */
const TOLERANCE = 2_000

/** A moment by the uncorrected clocks of this machine, wall and monotonic, in milliseconds. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** A comparison of the machine's clock with a server's: when it was made, and the milliseconds to add to our clock. */
interface Comparison {
  readonly at: Moment
  readonly correction: number
}

/**
 * The clock of a service. All code reads the time from it, and it gives each record its instant. There is one clock for each
 * service, since it keeps the instants of its records in order.
 */
export class Clock {
  #compared: Comparison | undefined
  /** The last instant, in microseconds since the epoch. */
  protected last = 0
  /** This process no longer gives instants before this second of the epoch, since a reader was told that it is complete. */
  protected closed = 0

  /** Returns the time of the machine's clock, in milliseconds since the epoch. */
  protected wall(): number {
    return Date.now()
  }

  /** Returns the current moment. */
  moment(): Moment {
    return { wall: this.wall(), monotonic: performance.now() }
  }

  /**
   * Returns the milliseconds since a moment, by the clock that advanced more: the wall clock can be set back, and the
   * monotonic clock can stop while a function is frozen.
   */
  elapsedSince({ wall, monotonic }: Moment): number {
    return Math.max(this.wall() - wall, performance.now() - monotonic)
  }

  /**
   * Returns milliseconds since the epoch. If the machine's clock is wrong by more than two seconds, it is corrected after the
   * first comparison with a server's clock, and at once if it is set back later.
   */
  now(): number {
    if (!this.#compared) return this.wall()
    const { at, correction } = this.#compared
    const elapsed = this.wall() - at.wall
    const running = performance.now() - at.monotonic
    const wasSetBack = running - elapsed > TOLERANCE
    return Math.round(at.wall + correction + (wasSetBack ? running : elapsed))
  }

  /**
   * Compares the machine's clock with a server's, which reported the time `reported`, in whole seconds, after `sent`. Keeps
   * the present correction while it is within the tolerance: one that moved back and forth would reorder records.
   */
  compare(reported: number, sent: Moment): void {
    if (Number.isNaN(reported)) return
    const at = this.moment()
    const least = reported - at.wall
    const most = reported + 999 - sent.wall
    const correction = this.#compared?.correction ?? 0
    const isRight = least - TOLERANCE <= correction && correction <= most + TOLERANCE
    this.#compared = { at, correction: isRight ? correction : (least + most) / 2 }
  }

  /**
   * Returns microseconds since the epoch, strictly increasing within this process even if the clock stops or is set back, so
   * that the records of one process keep their order. Instants of a clock that was ahead by more than two seconds are dropped,
   * except in closed seconds: otherwise the instants of other processes would come before ours until they catch up.
   */
  recordingInstant(): number {
    const instant = Math.max(this.now(), this.closed * 1_000) * 1_000
    const wasAhead = this.last - instant > TOLERANCE * 1_000
    this.last = wasAhead ? instant : Math.max(instant, this.last + 1)
    return this.last
  }

  /**
   * Returns a second of the epoch before which this process gives no instant from now on: the current one, or a later one if
   * the clock was set back.
   */
  closeSeconds(): number {
    this.closed = Math.max(this.closed, Math.floor(this.now() / 1_000))
    return this.closed
  }
}
