import { forgetInstants, setClock } from '../../shared/clock.ts'

/** From now on every instance that asks for the time has a clock of its own, this many minutes ahead of the right one. */
export const setMinutesAhead = (minutes: () => number): void =>
  setClock(() => {
    forgetInstants()
    return Date.now() + minutes() * 60_000
  })
