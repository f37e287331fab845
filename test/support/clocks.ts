import { forgetInstants, setClock } from '../../shared/clock.ts'

/** Lets each reading of the time come from a process of its own, whose clock is ahead by `minutes()`. */
export const setMinutesAhead = (minutes: () => number): void =>
  setClock(() => {
    forgetInstants()
    return Date.now() + minutes() * 60_000
  })
