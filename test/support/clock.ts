import { currentService } from '../../shared/store/service.ts'
import { SettableClock } from '../../tools/testing/settable-clock.ts'

/** The clock of the service in this test file. */
const clock = new SettableClock()
currentService().clock = clock

/** Lets the service read the time from `read`, in milliseconds since the epoch; by default from the machine's clock. */
export const setClock = (read?: () => number): void => clock.set(read)

/** The milliseconds by which `advanceClock` has moved the clock ahead of the machine's. */
let millisAhead = 0

/** Moves the clock of the service further ahead of the machine's. */
export const advanceClock = (millis: number): void => {
  millisAhead += millis
  setClock(() => Date.now() + millisAhead)
}

/** Allows the next record an instant before the instants of earlier records, as in a process that has just started. */
export const forgetInstants = (): void => clock.forgetInstants()
