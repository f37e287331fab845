import { calendarOf, offsetIn } from '../../../client/analytics/lines/calendar.ts'

/** How billing systems divide a period in which something changes. */

/** A billed period, in seconds since the epoch, and its length in months. */
export interface BilledPeriod {
  readonly start: number
  readonly end: number
  readonly months: number
}

export interface ProrationStyle {
  /** Returns when a change at a time takes effect, such as at the start of its day. */
  readonly effectiveTime: (time: number, period: BilledPeriod | undefined) => number
  /** Returns the share of a period that is left at a time. */
  readonly shareLeft: (time: number, period: BilledPeriod) => number
  /** Whether yearly prices are billed in twelve instalments. */
  readonly hasInstalments?: boolean
}

const DAY = 86_400

/** By the second, as Stripe does. */
export const bySecond: ProrationStyle = {
  effectiveTime: (time) => time,
  shareLeft: (time, { start, end }) => (end - time) / (end - start),
}

/** Returns all other styles, in a time zone. */
export const stylesIn = (timeZone: string): Readonly<Record<string, ProrationStyle>> => {
  const { shift } = calendarOf(timeZone)
  const offsetAt = offsetIn(timeZone)
  const local = (time: number): number => time + offsetAt(time)
  const dayOf = (time: number): number => Math.floor(local(time) / DAY)
  const days = (from: number, to: number): number => dayOf(to) - dayOf(from)
  const startOfDay = (time: number): number => {
    const inDay = time - (local(time) % DAY)
    // Clocks were changed since midnight.
    return inDay - (local(inDay) - dayOf(time) * DAY)
  }
  const days360 = (from: number, to: number): number => {
    const [start, end] = [new Date(local(from) * 1000), new Date(local(to) * 1000)]
    const years = end.getUTCFullYear() - start.getUTCFullYear()
    const months = years * 12 + end.getUTCMonth() - start.getUTCMonth()
    return months * 30 + Math.min(end.getUTCDate(), 30) - Math.min(start.getUTCDate(), 30)
  }
  const daysLeft = (time: number, { start, end }: BilledPeriod): number => days(time, end) / days(start, end)
  /** Returns the start of a month of a period, on the day of the later anchor if the other one is clipped, as 28 February is. */
  const monthOfPeriod = ({ start, end, months }: BilledPeriod, index: number): number =>
    Math.max(shift(start, 'month', index), shift(end, 'month', index - months))
  /** Returns how many months of a period have begun before a time. */
  const monthsBegun = (time: number, period: BilledPeriod): number => {
    let months = 0
    while (monthOfPeriod(period, months) < time) months += 1
    return months
  }
  /** A change at the start of a period is for all of it. */
  const unlessAtStart =
    (shareLeft: ProrationStyle['shareLeft']): ProrationStyle['shareLeft'] =>
    (time, period) =>
      time === period.start ? 1 : shareLeft(time, period)
  return {
    'days, and changes to the second': { ...bySecond, shareLeft: daysLeft },
    'days without that of the change, and changes to the second': {
      ...bySecond,
      shareLeft: unlessAtStart((time, { start, end }) => Math.max(0, days(time, end) - 1) / days(start, end)),
    },
    'seconds of local time': {
      ...bySecond,
      shareLeft: (time, { start, end }) => (local(end) - local(time)) / (local(end) - local(start)),
    },
    'local days': { effectiveTime: startOfDay, shareLeft: daysLeft },
    '30/360': {
      effectiveTime: startOfDay,
      shareLeft: (time, { end, months }) => Math.min(1, days360(time, end) / (30 * months)),
    },
    'months of 30 days': {
      effectiveTime: startOfDay,
      shareLeft: unlessAtStart((time, { end, months }) => Math.min(1, days(time, end) / (30 * months))),
    },
    'months of an interval': {
      effectiveTime: (time, period) => (period ? monthOfPeriod(period, monthsBegun(time, period)) : time),
      shareLeft: (time, period) => 1 - monthsBegun(time, period) / period.months,
    },
    'parts of an instalment': { effectiveTime: startOfDay, shareLeft: daysLeft, hasInstalments: true },
  }
}
