import { parseDate } from '../../../../shared/contract/dates.ts'
import { date } from '../../../../shared/contract/fields.ts'
import type { Schema } from '../../../../shared/contract/schema.ts'
import { isCurrency } from '../../../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../../../shared/money/minor-units.ts'
import { UsageError } from '../../../cli/command.ts'
import type { Reading } from '../../row.ts'
import { amountForms, amountIn } from './amounts.ts'

const orders = ['DD MM YYYY', 'MM DD YYYY', 'YYYY MM DD', 'YYYY DD MM', 'DD YYYY MM', 'MM YYYY DD']
const dateForms = new Map(
  orders.flatMap((order) =>
    ['.', '/', '-', ' '].map((separator) => {
      const form = order
        .replaceAll(' ', `[${separator}]`)
        .replace(/[DM]{2}/g, (part) => `(?<${part}>\\d\\d?)`)
        .replace('YYYY', '(?<YYYY>\\d{4})')
      return [order.replaceAll(' ', separator), new RegExp(`^${form}(?<time>[T ].*)?$`)] as const
    }),
  ),
)

/** Returns a date as the API accepts it. Undefined if there is no such day and time, or it is written in another way. */
const dateIn = (cell: string, dates: string): string | undefined => {
  const { DD = '', MM = '', YYYY, time = '' } = dateForms.get(dates)!.exec(cell)?.groups ?? {}
  const text = `${YYYY}-${MM.padStart(2, '0')}-${DD.padStart(2, '0')}${time.replace(/^ (?=\d:)/, ' 0')}`
  return parseDate(text) === undefined ? undefined : text
}

/** How an option reads the cells of its fields. Without it, they are as in the body of a create. */
interface Reader {
  readonly forms: ReadonlyMap<string, RegExp>
  /** Completes "--OPTION must be …". */
  readonly values: string
  concerns(schema: Schema): boolean
  isPlain(cell: string): boolean
  read(cell: string, value: string, currency: string): string | undefined
  /** Completes "FIELD must be …". */
  expects(value: string, currency: string): string
}

const readers: Readonly<Record<'decimal' | 'dates', Reader>> = {
  decimal: {
    forms: amountForms,
    values: '"," or "."',
    concerns: ({ kind }) => kind === 'money',
    isPlain: (cell) => /^-?\d+$/.test(cell),
    read: amountIn,
    expects: (decimal, currency) => {
      const digits = minorUnitDigits(currency)
      const [locale, fraction] = [decimal === ',' ? 'de' : 'en', { minimumFractionDigits: digits }]
      const example = new Intl.NumberFormat(locale, fraction).format(1_234)
      return `an amount of ${currency} with at most ${digits} digits after "${decimal}", such as "${example}"`
    },
  },
  dates: {
    forms: dateForms,
    values: 'DD, MM and YYYY in any order, with "." "/" "-" or a space between them, such as DD.MM.YYYY',
    concerns: ({ format }) => format === date.format,
    isPlain: (cell) => parseDate(cell) !== undefined,
    read: dateIn,
    expects: (dates) =>
      `a date as ${dates}, such as "${dates.replace('DD', '31').replace('MM', '01').replace('YYYY', '2024')}"`,
  },
}
type Option = keyof typeof readers
const options = Object.keys(readers) as Option[]

/** How the user says that CSV files write amounts and dates, by option. */
export type Notation = Readonly<Record<Option, string | undefined>>

/** Returns the notation in the options of a command. Throws UsageError. */
export const notationFrom = ({ decimal, dates }: Partial<Notation>): Notation => {
  const notation = { decimal, dates }
  for (const option of options)
    if (notation[option] !== undefined && !readers[option].forms.has(notation[option]))
      throw new UsageError(`--${option} must be ${readers[option].values} (got "${notation[option]}")`)
  return notation
}

const textOf = (option: Option, value: string | undefined): string => {
  if (value === undefined) return `no --${option}`
  return `--${option} ${value.includes(' ') ? `"${value}"` : value}`
}

/** Returns what a notation says of each option, as texts. */
export const textsOf = (notation: Notation): string[] =>
  options.map((option) => textOf(option, notation[option]))

/** A cell, and the field and the record that it is in. */
export interface Cell {
  readonly name: string
  readonly schema: Schema
  readonly cell: string
  /** Empty if the record has none. */
  readonly currency: string
}
/** A cell, as the body of a create has it. */
interface ReadCell extends Reading {
  readonly text: string
  readonly problem?: string
  /** Whether the day stands where the month should, so that the dates of other records may be read and be wrong. */
  readonly isSwapped?: boolean
}

/** Reads a cell as the options say. */
export const readCell = ({ name, schema, cell, currency }: Cell, notation: Notation): ReadCell => {
  const option = options.find((each) => readers[each].concerns(schema))
  if (!option) return { text: cell }
  const { forms, isPlain, read, expects } = readers[option]
  const value = notation[option]
  const found = { text: cell, readWith: [textOf(option, value)] }
  const hasUnit = option === 'dates' || isCurrency(currency)
  if (value === undefined && (isPlain(cell) || !hasUnit)) return found
  if (!hasUnit) {
    const why = `it decides how many minor units the ${name} "${cell}" is`
    return {
      ...found,
      problem: `currency must be an ISO 4217 code, such as "EUR": ${why} (got "${currency}").`,
    }
  }
  const readAs = (each: string) => read(cell, each, currency.toUpperCase())
  const text = value === undefined ? undefined : readAs(value)
  if (text !== undefined) return { ...found, text, read: [`${name} ${cell} → ${text}`] }
  const others = [...forms.keys()].filter((each) => readAs(each) !== undefined)
  const hints = others.map((each) => `${textOf(option, each)} reads "${cell}" as ${readAs(each)}.`)
  if (value === undefined) return { ...found, hints }
  const problem = `${name} must be ${expects(value, currency.toUpperCase())} (got "${cell}").`
  const swapped = value.replace(/DD|MM/g, (part) => (part === 'DD' ? 'MM' : 'DD'))
  return { ...found, problem: [problem, ...hints].join(' '), isSwapped: others.includes(swapped) }
}
