/** A calendar month in UTC, counted from January of the year 0. */
export type Month = number

/** The most months that a chart has. */
export const MOST_MONTHS = 120

/** Returns the month of a time in seconds since the epoch. */
export const monthOf = (seconds: number): Month => {
  const date = new Date(seconds * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Returns a month as `2026-02`. */
export const monthName = (month: Month): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`

/** Returns the last second of a month, or `now` within the current one: the moment at which a month is looked at. */
export const momentOf = (month: Month, now: number): number =>
  Math.min(Date.parse(`${monthName(month + 1)}-01T00:00:00Z`) / 1000 - 1, now)

/** Returns the months of a chart: from the first of the given times to `now`, at most the last 120. */
export const monthsOf = (times: readonly number[], now: number): Month[] => {
  const last = monthOf(now)
  const earliest = times.reduce((least, time) => Math.min(least, time), now)
  const first = Math.max(monthOf(earliest), last - MOST_MONTHS + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
