/** A calendar day in UTC, as `YYYY-MM-DD`. Days are compared as text. */
export type Day = string

const DAY_MILLIS = 86_400_000

const partsOf = (day: Day): { readonly month: number; readonly date: number } => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return { month: (year - 1970) * 12 + month - 1, date }
}

/** Returns the number of days of a month, which is counted from January 1970. */
const daysIn = (month: number): number => new Date(Date.UTC(1970, month + 1, 0)).getUTCDate()

/** Returns the day `date` of a month, which is counted from January 1970, or its last day if the month is shorter. */
export const dayIn = (month: number, date: number): Day =>
  new Date(Date.UTC(1970, month, Math.min(date, daysIn(month)))).toISOString().slice(0, 10)

/** Returns the month of a day, counted from January 1970. */
export const monthOf = (day: Day): number => partsOf(day).month

/** Returns the same day some months later, or the last day of that month if it is shorter. */
export const addMonths = (day: Day, months: number): Day => {
  const { month, date } = partsOf(day)
  return dayIn(month + months, date)
}

/** Returns the day that is some days later. */
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * DAY_MILLIS).toISOString().slice(0, 10)

/** Returns the number of days from one day to a later one. */
export const daysBetween = (start: Day, end: Day): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / DAY_MILLIS)
