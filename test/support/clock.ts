import { currentService } from '../../shared/store/service.ts'
import { SettableClock } from '../../tools/testing/settable-clock.ts'

const clock = new SettableClock()
currentService().clock = clock

/** In milliseconds since the epoch; by default from the machine's clock. */
export const setClock = (read?: () => number): void => clock.set(read)

let millisAhead = 0

/** Further ahead of the machine's clock. */
export const advanceClock = (millis: number): void => {
  millisAhead += millis
  setClock(() => Date.now() + millisAhead)
}

/** As in a process that has just started. */
export const forgetInstants = (): void => clock.forgetInstants()
