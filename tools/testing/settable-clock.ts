import { Clock } from '../../shared/clock.ts'

/**
 * A clock that tests set. Until it is set, it shows the machine's time. No server corrects it, and it keeps
 * the order of records even if it is set back.
 */
export class SettableClock extends Clock {
  #read = (): number => Date.now()

  protected override wall(): number {
    return this.#read()
  }

  /**
   * Reads the time from `read`, in milliseconds since the epoch. Without it, shows the machine's time again.
   */
  set(read?: () => number): void {
    this.#read = read ?? (() => Date.now())
  }

  override compare(): void {}

  override recordingInstant(): number {
    const instant = Math.max(this.now(), this.closed * 1_000) * 1_000
    this.last = Math.max(instant, this.last + 1)
    return this.last
  }

  /** Closes the second of the last instant too: the clock can have been set back behind it. */
  override closeSeconds(): number {
    const secondOfLast = Math.floor(this.last / 1_000_000)
    const isBehindLast = secondOfLast > Math.floor(this.now() / 1_000)
    this.closed = Math.max(super.closeSeconds(), isBehindLast ? secondOfLast + 1 : 0)
    return this.closed
  }

  /** After `instant`, in microseconds since the epoch, for a test double that forgets the later records. */
  forgetInstants(instant = 0): void {
    this.last = instant
    this.closed = 0
  }
}
