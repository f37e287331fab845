import { UsageError } from '../../../cli/command.ts'
import { decimalSeparators } from './amounts.ts'
import { calendarIn, dateFormOf } from './dates.ts'

/** Whether the end of a period is its last day, minute or second (inclusive), or the first moment after it (exclusive). */
const periodEnds = ['inclusive', 'exclusive'] as const
type PeriodEnds = (typeof periodEnds)[number]

/** How CSV files write amounts and dates, as the user specifies it by options. */
export interface Notation {
  /** The decimal separator of amounts in the major unit. Without it, amounts are integers in the minor unit. */
  readonly decimal: string | undefined
  /** The form of dates, such as `DD.MM.YYYY`. Without it, dates are written as in the body of a create. */
  readonly dates: string | undefined
  /** The name of the time zone of dates without one. Without it, they are UTC. */
  readonly zone: string | undefined
  /** How they write the ends of periods. Without it, ends that may be inclusive stop the import. */
  readonly ends: PeriodEnds | undefined
}

export const notationNames = ['decimal', 'dates', 'zone', 'ends'] as const

/** Throws UsageError for a wrong value. */
export const notationFrom = ({
  decimal,
  dates,
  zone,
  ends: endsText,
}: Partial<Record<keyof Notation, string | undefined>>): Notation => {
  if (decimal !== undefined && !decimalSeparators.includes(decimal))
    throw new UsageError(`--decimal must be "," or "." (got "${decimal}")`)
  if (dates !== undefined && dateFormOf(dates) === undefined)
    throw new UsageError(
      `--dates must be DD, MM and YYYY in any order, with ".", "/", "-" or a space between them, such as DD.MM.YYYY; MMM is the name of a month, and YY a year of two digits (got "${dates}")`,
    )
  if (zone !== undefined) calendarIn(zone)
  const ends = periodEnds.find((kind) => kind === endsText)
  if (ends !== endsText) throw new UsageError(`--ends must be ${periodEnds.join(' or ')} (got "${endsText}")`)
  return { decimal, dates, zone, ends }
}

/** As the user writes it, such as `--decimal ,`; if it is not given, `no --decimal`. */
export const optionText = (name: keyof Notation, value: string | undefined): string => {
  if (value === undefined) return `no --${name}`
  return `--${name} ${value.includes(' ') ? `"${value}"` : value}`
}

export const optionTexts = (notation: Notation): string[] =>
  notationNames.map((name) => optionText(name, notation[name]))
