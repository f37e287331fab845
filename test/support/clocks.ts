import { forgetInstants, setClock } from '../../shared/clock.ts'

/** Gives each reader of the time its own clock, ahead by these minutes in turn. */
export const setMinutesAhead = (minutes: () => number): void =>
  setClock(() => {
    forgetInstants()
    return Date.now() + minutes() * 60_000
  })
