const DAY = 86_400
export const WEEK = 7 * DAY
/** The first of January 1970 was a Thursday. */
const MONDAY = 4 * DAY

/** Returns the month of a time in UTC, counted from January 1970. */
export const monthOf = (now: number): number => {
  const date = new Date(now * 1000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/** Returns the first second of a month, in UTC. */
export const monthStart = (month: number): number => Date.UTC(1970, month) / 1000

/** Returns the first second of the week of a time, which begins on Monday, in UTC. */
export const weekStart = (now: number): number => now - ((now - MONDAY) % WEEK)
