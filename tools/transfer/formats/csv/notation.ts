import { parseDate } from '../../../../shared/contract/dates.ts'
import { dateSchema } from '../../../../shared/contract/fields.ts'
import type { Schema } from '../../../../shared/contract/schema.ts'
import { isCurrency } from '../../../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../../../shared/money/minor-units.ts'
import { UsageError } from '../../../cli/command.ts'
import type { Reading } from '../../row.ts'
import { amountForms, amountIn } from './amounts.ts'
import { dateFormOf, dateIn, isLocal, momentIn, swappedForm, usualForms } from './dates.ts'
import { type Zone, zoneOf } from './zone.ts'

/** How the user says that CSV files write amounts and dates, by option. */
export interface Notation {
  /** The decimal separator of amounts. Without it, they are integers of minor units. */
  readonly decimal: string | undefined
  /** The form of dates. Without it, they are as in the body of a create. */
  readonly dates: string | undefined
  /** The time zone of dates that say none. Without it, it is UTC. */
  readonly zone: string | undefined
}
const optionNames = ['decimal', 'dates', 'zone'] as const
type OptionName = (typeof optionNames)[number]

/** Returns the notation in the options of a command. Throws UsageError. */
export const notationFrom = ({ decimal, dates, zone }: Partial<Notation>): Notation => {
  if (decimal !== undefined && !amountForms.has(decimal))
    throw new UsageError(`--decimal must be "," or "." (got "${decimal}")`)
  if (dates !== undefined && dateFormOf(dates) === undefined)
    throw new UsageError(
      `--dates must be DD, MM and YYYY in any order, with "." "/" "-" or a space between them, such as DD.MM.YYYY; MMM is the name of a month, and YY has two digits (got "${dates}")`,
    )
  if (zone !== undefined) zoneOf(zone)
  return { decimal, dates, zone }
}

const optionText = (name: OptionName, value: string | undefined): string => {
  if (value === undefined) return `no --${name}`
  return `--${name} ${value.includes(' ') ? `"${value}"` : value}`
}

/** Returns what a notation says of each option, as texts. */
export const optionTexts = (notation: Notation): string[] =>
  optionNames.map((name) => optionText(name, notation[name]))

/** A cell, and the field and the record that it is in. */
export interface Cell {
  readonly name: string
  readonly schema: Schema
  readonly cell: string
  /** Empty if the record has none. */
  readonly currency: string
}

/** A cell, as the body of a create has it. */
export interface ReadCell extends Reading {
  readonly text: string
  readonly problem?: string
  /** Whether the day stands where the month should, so that the dates of other records may be read and be wrong. */
  readonly isSwapped?: boolean
  /** Whether it is a day or a time that was taken as UTC, since neither it nor an option says a zone. */
  readonly isTakenAsUtc?: boolean
}

const readAmount = ({ name, cell, currency }: Cell, { decimal }: Notation): ReadCell => {
  const found = { text: cell, readWith: [optionText('decimal', decimal)] }
  if (decimal === undefined && (/^-?\d+$/.test(cell) || !isCurrency(currency))) return found
  if (!isCurrency(currency)) {
    const why = `it decides how many minor units the ${name} "${cell}" is`
    const problem = `currency must be an ISO 4217 code, such as "EUR": ${why} (got "${currency}").`
    return { ...found, problem }
  }
  const code = currency.toUpperCase()
  const text = decimal === undefined ? undefined : amountIn(cell, decimal, code)
  if (text !== undefined) return { ...found, text, read: [`${name} ${cell} → ${text}`] }
  const hints: string[] = []
  for (const other of amountForms.keys()) {
    const amount = amountIn(cell, other, code)
    if (amount !== undefined) hints.push(`${optionText('decimal', other)} reads "${cell}" as ${amount}.`)
  }
  if (decimal === undefined) return { ...found, hints }
  const digits = minorUnitDigits(code)
  const example = new Intl.NumberFormat(decimal === ',' ? 'de' : 'en', { minimumFractionDigits: digits })
  const expected = `an amount of ${code} with at most ${digits} digits after "${decimal}", such as "${example.format(1_234)}"`
  return { ...found, problem: [`${name} must be ${expected} (got "${cell}").`, ...hints].join(' ') }
}

const exampleOf = (dates: string): string =>
  dates
    .replace('MMM', 'Jan')
    .replace(/MM?/, '01')
    .replace('YYYY', '2024')
    .replace('YY', '24')
    .replace(/DD?/, '31')

/** Returns a date, whatever its form, as it is in the body of a create; a problem if it is not written as `dates` says. */
const readForm = ({ name, cell }: Cell, dates: string | undefined): ReadCell => {
  const form = dates === undefined ? undefined : dateFormOf(dates)
  if (!form && parseDate(cell) !== undefined) return { text: cell }
  const text = form ? dateIn(cell, form) : undefined
  if (text !== undefined) return { text, read: [`${name} ${cell} → ${text}`] }
  const hints: string[] = []
  for (const other of usualForms) {
    const read = dateIn(cell, other)
    if (read !== undefined) hints.push(`${optionText('dates', other.text)} reads "${cell}" as ${read}.`)
  }
  if (dates === undefined) return { text: cell, hints }
  const problem = `${name} must be a date as ${dates}, such as "${exampleOf(dates)}" (got "${cell}").`
  const swapped = swappedForm(dates)
  const isSwapped = swapped !== undefined && dateIn(cell, swapped) !== undefined
  return { text: cell, problem: [problem, ...hints].join(' '), isSwapped }
}

const zones = new Map<string, Zone>()

const zoneNamed = (name: string): Zone => {
  const zone = zones.get(name) ?? zoneOf(name)
  zones.set(name, zone)
  return zone
}

const readDate = (cell: Cell, { dates, zone }: Notation): ReadCell => {
  const readWith = [optionText('dates', dates), optionText('zone', zone)]
  const found = { ...readForm(cell, dates), readWith }
  if (found.problem !== undefined || !isLocal(found.text)) return found
  if (zone === undefined) return { ...found, isTakenAsUtc: true }
  const text = momentIn(found.text, zoneNamed(zone))
  if (text !== undefined) return { ...found, text, read: [`${cell.name} ${cell.cell} → ${text}`] }
  const problem = `${cell.name} must be a time that occurs once in ${zone}, where clocks are changed then (got "${cell.cell}"): add its offset from UTC.`
  return { ...found, problem }
}

/** Reads a cell as the options say. */
export const readCell = (cell: Cell, notation: Notation): ReadCell => {
  if (cell.schema.kind === 'money') return readAmount(cell, notation)
  if (cell.schema.format === dateSchema.format) return readDate(cell, notation)
  return { text: cell.cell }
}
