/** The tolerated difference of two clocks. Servers report whole seconds, and responses take time. */
const TOLERANCE = 2_000

/** A moment by the uncorrected clocks of this machine, wall and monotonic, in milliseconds. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** A comparison of the machine's clock with the clock of a server. */
interface Comparison {
  readonly madeAt: Moment
  /** The milliseconds to add to the machine's clock. */
  readonly correction: number
}

/**
 * The clock of a service. All code reads the time from it, and it issues the instant of each record. A
 * service has only one clock, which keeps the instants of its records in order.
 */
export class Clock {
  #comparison: Comparison | undefined
  /** The last instant that was issued, in microseconds since the epoch. */
  protected last = 0
  /** No instant before this second is issued: a reader was told that all earlier seconds are complete. */
  protected closed = 0

  /** The time of the machine's clock, in milliseconds since the epoch. */
  protected wall(): number {
    return Date.now()
  }

  moment(): Moment {
    return { wall: this.wall(), monotonic: performance.now() }
  }

  /**
   * The milliseconds since a moment, by the clock that advanced more: the wall clock can be set back, and the
   * monotonic clock can stop while a function is frozen.
   */
  elapsedSince({ wall, monotonic }: Moment): number {
    return Math.max(this.wall() - wall, performance.now() - monotonic)
  }

  /**
   * Returns milliseconds since the epoch. If the machine's clock is wrong by more than two seconds, it is
   * corrected after the first comparison with a server's clock, and at once if it is set back later.
   */
  now(): number {
    if (!this.#comparison) return this.wall()
    const { madeAt, correction } = this.#comparison
    const wallElapsed = this.wall() - madeAt.wall
    const monotonicElapsed = performance.now() - madeAt.monotonic
    const wasSetBack = monotonicElapsed - wallElapsed > TOLERANCE
    return Math.round(madeAt.wall + correction + (wasSetBack ? monotonicElapsed : wallElapsed))
  }

  /**
   * Compares the machine's clock with the clock of a server. `reported` is the server's time in milliseconds
   * since the epoch, rounded down to a second, from the response to a request that was sent at `sent`. Keeps
   * the current correction while it is within the tolerance, because a correction that moved back and forth
   * would reorder records.
   */
  compare(reported: number, sent: Moment): void {
    if (Number.isNaN(reported)) return
    const madeAt = this.moment()
    // The server read its clock between `sent` and `madeAt`, at most 999 ms after the reported second.
    const smallestCorrection = reported - madeAt.wall
    const largestCorrection = reported + 999 - sent.wall
    const current = this.#comparison?.correction ?? 0
    const isWithinTolerance =
      smallestCorrection - TOLERANCE <= current && current <= largestCorrection + TOLERANCE
    const correction = isWithinTolerance ? current : (smallestCorrection + largestCorrection) / 2
    this.#comparison = { madeAt, correction }
  }

  /**
   * Issues the instant of a record, in microseconds since the epoch. Instants strictly increase within this
   * process, even if the clock stops or is set back, so the records of one process keep their order. The
   * exception is a clock that was ahead by more than two seconds: instants then continue from the correct
   * time, but not before the closed seconds. Otherwise this process would issue later instants than all
   * others until their clocks caught up.
   */
  recordingInstant(): number {
    const instant = Math.max(this.now(), this.closed * 1_000) * 1_000
    const wasAhead = this.last - instant > TOLERANCE * 1_000
    this.last = wasAhead ? instant : Math.max(instant, this.last + 1)
    return this.last
  }

  /**
   * Closes the past: from now on, this process issues no instant before the returned second of the epoch. It
   * is the current second, or a later one if the clock was set back.
   */
  closeSeconds(): number {
    this.closed = Math.max(this.closed, Math.floor(this.now() / 1_000))
    return this.closed
  }
}
