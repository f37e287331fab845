import { parseDate } from '../../../../shared/contract/dates.ts'
import { dateSchema } from '../../../../shared/contract/fields.ts'
import type { Schema } from '../../../../shared/contract/schema.ts'
import { isCurrency } from '../../../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../../../shared/money/minor-units.ts'
import { decimalSeparators, toMinorUnits } from './amounts.ts'
import {
  commonDateForms,
  convertDate,
  dateFormOf,
  exampleOf,
  exclusiveEnd,
  isLocal,
  swappedForm,
  toUtc,
} from './dates.ts'
import { type Notation, optionText } from './notation.ts'

/** A cell that is not empty, and its field and record. */
export interface FieldCell {
  readonly name: string
  readonly schema: Schema
  readonly text: string
  /** The currency of the record; empty if it has none. */
  readonly currency: string
}

/** A cell in the notation of the API. */
export interface ConvertedCell {
  readonly text: string
  readonly problem?: string
  /** Whether another option reads the cell, so that other cells of the file may be misread without an error. */
  readonly stopsImport?: boolean
  /** Whether it is a day or a time that was read as UTC because neither the cell nor an option specifies a time zone. */
  readonly isReadAsUtc?: boolean
  /** As in `Reading`. */
  readonly hints?: readonly string[]
  /** If it was converted: the result as people write it. A function, because formatting is slow and few conversions are shown. */
  readonly result?: () => string
}

/** The options that determine how the cells of a field are read. */
export const notationOptionsFor = (
  { field, schema }: { readonly field: string; readonly schema: Schema },
  notation: Notation,
): string[] => {
  if (schema.kind === 'money') return [optionText('decimal', notation.decimal)]
  if (schema.format !== dateSchema.format) return []
  const options = [optionText('dates', notation.dates), optionText('zone', notation.zone)]
  return field === 'period_end' ? [...options, optionText('ends', notation.ends)] : options
}

/** An integer in the minor unit as people write the amount: `5,652.14 EUR`. */
const majorUnits = (amount: string, currency: string): string => {
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits })
  return `${format.format(`${amount}E-${digits}` as Intl.StringNumericLiteral)} ${currency}`
}

/** The decimal separators with which a cell is an amount, as hints. */
const amountHints = (cell: string, currency: string): string[] =>
  decimalSeparators.flatMap((decimal) => {
    const amount = toMinorUnits(cell, decimal, currency)
    if (amount === undefined) return []
    return `${optionText('decimal', decimal)} reads "${cell}" as ${majorUnits(amount, currency)}.`
  })

const expectedAmount = (decimal: string, currency: string): string => {
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat(decimal === ',' ? 'de' : 'en', { minimumFractionDigits: digits })
  return `an amount of ${currency} with at most ${digits} digits after "${decimal}", such as "${format.format(1_234)}"`
}

const convertAmount = ({ name, text, currency }: FieldCell, { decimal }: Notation): ConvertedCell => {
  if (!isCurrency(currency)) {
    if (decimal === undefined) return { text }
    const reason = `it determines the number of minor units in the ${name} "${text}"`
    return {
      text,
      problem: `currency must be an ISO 4217 code, such as "EUR": ${reason} (got "${currency}").`,
    }
  }
  const code = currency.toUpperCase()
  const integer = /^-?\d+$/.test(text) ? text : undefined
  const amount = decimal === undefined ? integer : toMinorUnits(text, decimal, code)
  if (amount !== undefined) return { text: amount, result: () => majorUnits(amount, code) }
  const hints = amountHints(text, code)
  const stopsImport = hints.length > 0
  if (decimal === undefined && !stopsImport) return { text }
  const expected =
    decimal === undefined ? 'an integer in minor units without --decimal' : expectedAmount(decimal, code)
  const problem = `${name} must be ${expected} (got "${text}").`
  return { text, problem: [problem, ...hints].join(' '), stopsImport }
}

/** The common forms in which a cell is a date, as hints. */
const dateHints = (cell: string): string[] =>
  commonDateForms.flatMap((form) => {
    const text = convertDate(cell, form)
    return text === undefined ? [] : `${optionText('dates', form.text)} reads "${cell}" as ${text}.`
  })

/** Without regard to time zones. */
const convertForm = ({ name, text }: FieldCell, { dates }: Notation): ConvertedCell => {
  if (dates === undefined) return parseDate(text) === undefined ? { text, hints: dateHints(text) } : { text }
  const converted = convertDate(text, dateFormOf(dates)!)
  if (converted !== undefined) return { text: converted, result: () => converted }
  const problem = `${name} must be a date as ${dates}, such as "${exampleOf(dates)}" (got "${text}").`
  const swapped = swappedForm(dates)
  return {
    text,
    problem: [problem, ...dateHints(text)].join(' '),
    stopsImport: swapped !== undefined && convertDate(text, swapped) !== undefined,
  }
}

/** As the first moment after a period, if the files write inclusive ends. */
const convertEnd = (
  { name, text }: FieldCell,
  converted: ConvertedCell,
  { ends }: Notation,
): ConvertedCell => {
  if (ends !== 'inclusive' || parseDate(converted.text) === undefined) return converted
  const end = exclusiveEnd(converted.text)
  if (end !== undefined) return { ...converted, text: end, result: () => end }
  const problem = `${name} must be a day, or a time in the last minute or second of a period, with --ends inclusive (got "${text}").`
  return { ...converted, problem }
}

const convertDateCell = (cell: FieldCell, notation: Notation): ConvertedCell => {
  const { zone } = notation
  const withForm = convertForm(cell, notation)
  const converted = cell.name === 'period_end' ? convertEnd(cell, withForm, notation) : withForm
  if (converted.problem !== undefined || !isLocal(converted.text)) return converted
  if (zone === undefined) return { ...converted, isReadAsUtc: true }
  const utc = toUtc(converted.text, zone)
  if (utc !== undefined) return { ...converted, text: utc, result: () => utc }
  const problem = `${cell.name} must be a time that occurs once in ${zone}, where clocks change at that time (got "${cell.text}"): add its offset from UTC.`
  return { ...converted, problem }
}

/** To the notation of the API. The cells of other fields than amounts and dates are not changed. */
export const convertCell = (cell: FieldCell, notation: Notation): ConvertedCell => {
  if (cell.schema.kind === 'money') return convertAmount(cell, notation)
  if (cell.schema.format === dateSchema.format) return convertDateCell(cell, notation)
  return { text: cell.text }
}
