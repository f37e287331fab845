/** A calendar day in UTC, as `YYYY-MM-DD`. Days are compared as text. */
export type Day = string

const DAY_MILLIS = 86_400_000

/** `millis` is counted from the epoch. */
export const dayOf = (millis: number): Day => new Date(millis).toISOString().slice(0, 10)

const partsOf = (day: Day): { readonly month: number; readonly date: number } => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return { month: (year - 1970) * 12 + month - 1, date }
}

/** `month` is counted from January 1970. */
const daysIn = (month: number): number => new Date(Date.UTC(1970, month + 1, 0)).getUTCDate()

/** The last day if the month, counted from January 1970, is shorter. */
export const dayIn = (month: number, date: number): Day =>
  dayOf(Date.UTC(1970, month, Math.min(date, daysIn(month))))

/** Counted from January 1970. */
export const monthOfDay = (day: Day): number => partsOf(day).month

/** The last day of the month if it is shorter. */
export const addMonths = (day: Day, months: number): Day => {
  const { month, date } = partsOf(day)
  return dayIn(month + months, date)
}

export const addDays = (day: Day, days: number): Day => dayOf(Date.parse(day) + days * DAY_MILLIS)

export const daysBetween = (start: Day, end: Day): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / DAY_MILLIS)
