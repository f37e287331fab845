import type { Dataset } from './dataset.ts'
import { SumsByCurrency } from './lines/groups.ts'
import { rounded } from './lines/line-properties.ts'
import { type RecognisedLine, visitRecognised } from './lines/recognised-lines.ts'
import { MAX_MONTHS, monthsBetween, recordsByMonth } from './months.ts'
import type { CurrencyMonths, RevenueMonth, ScheduledMonth } from './types.ts'

/** Returns amount × part ÷ whole, of integers, rounded half away from zero. */
const shareOf = (amount: number, part: number, whole: number): number => {
  const product = amount * part
  // Below this product, the division of floats never rounds a quotient to the other side of a half.
  if (Math.abs(product) < 2 ** 52) return rounded(product / whole)
  // The quotient plus a half, rounded down. Both parts of it are doubled, so that the half is an integer.
  const doubledProduct = 2n * BigInt(Math.abs(amount)) * BigInt(part)
  const doubledWhole = 2n * BigInt(whole)
  return Math.sign(amount) * Number((doubledProduct + BigInt(whole)) / doubledWhole)
}

/** Returns the amount of a line that is recognised before a moment. */
export const recognisedUntil = ({ net, start, end }: RecognisedLine, moment: number): number => {
  if (moment >= end) return net
  return moment <= start ? 0 : shareOf(net, moment - start, end - start)
}

/** The amounts of a currency that are billed and recognised in consecutive periods, given by their ends. The first has no start. */
export class Recognition {
  readonly billed: number[]
  readonly recognised: number[]
  /** What the lines that become known in a period recognise for the periods before it. */
  readonly forEarlier: number[]
  /** For each end, the amount recognised before it of lines that are billed at that end or later. */
  readonly unbilled: number[]
  readonly #ends: readonly number[]

  constructor(ends: readonly number[]) {
    this.#ends = ends
    this.billed = ends.map(() => 0)
    this.recognised = ends.map(() => 0)
    this.forEarlier = ends.map(() => 0)
    this.unbilled = ends.map(() => 0)
  }

  /** Returns the index of the period of a moment; the number of periods if it is after all of them. */
  #indexOf(moment: number): number {
    const index = this.#ends.findIndex((end) => end > moment)
    return index < 0 ? this.#ends.length : index
  }

  /** Returns a function that returns the amounts of a month, given its index: the period after all time before the first month. */
  monthAt() {
    const { billed, recognised, forEarlier, unbilled } = this
    let balance = 0
    const balances = billed.map((amount, index) => {
      balance += amount - recognised[index]! - forEarlier[index]!
      return balance
    })
    return (index: number) => ({
      opening: balances[index]!,
      billed: billed[index + 1]!,
      recognised: recognised[index + 1]!,
      closing: balances[index + 1]!,
      deferred: balances[index + 1]! + unbilled[index + 1]!,
      unbilled: unbilled[index + 1]!,
    })
  }

  /** Adds the amounts of a line to its periods, and those of the periods before it became known to the period `known` in which it did. */
  add(line: RecognisedLine, known = 0): void {
    const createdIndex = this.#indexOf(line.invoice.created)
    const billedIndex = Math.max(createdIndex, known)
    if (billedIndex < this.#ends.length) this.billed[billedIndex]! += line.net
    let before = known > 0 ? recognisedUntil(line, this.#ends[known - 1]!) : 0
    this.forEarlier[known]! += before
    for (let index = Math.max(known, this.#indexOf(line.start)); index < this.#ends.length; index += 1) {
      // Nothing changes in the periods after the whole line was recognised and billed.
      if (before === line.net && index >= createdIndex) break
      const until = recognisedUntil(line, this.#ends[index]!)
      this.recognised[index]! += until - before
      if (index < createdIndex) this.unbilled[index]! += until
      before = until
    }
  }
}

/** Returns the recognition of each currency that has a line. */
const recognitionByCurrency = (
  dataset: Dataset,
  ends: readonly number[],
  isIncluded: (line: RecognisedLine) => boolean,
): SumsByCurrency<Recognition> => {
  const currencies = new SumsByCurrency(() => new Recognition(ends))
  visitRecognised(dataset.invoices, dataset.conventions, (line) => {
    const recognition = currencies.of(line.currency)
    if (isIncluded(line)) recognition.add(line)
  })
  return currencies
}

/** Returns the ends of periods: all time before the first month, and each month until now. */
export const endsOf = ({ months, calendar, now }: Dataset): number[] => [...months.map(calendar.startOf), now]

/** Returns the amounts that are billed, recognised, deferred and unbilled by month, for each currency. */
export const revenueByCurrency = (dataset: Dataset): CurrencyMonths<RevenueMonth>[] =>
  recognitionByCurrency(dataset, endsOf(dataset), () => true).map((currency, recognition) => ({
    currency,
    months: recordsByMonth(dataset.months, recognition.monthAt()),
  }))

/** Returns how much of the amount that is deferred now will be recognised in each month, for each currency. */
export const scheduleByCurrency = (dataset: Dataset): CurrencyMonths<ScheduledMonth>[] => {
  const { calendar, now, currentMonth } = dataset
  const isBilled = ({ invoice }: RecognisedLine): boolean => invoice.created < now
  let lastSecond = now
  visitRecognised(dataset.invoices, dataset.conventions, (line) => {
    if (isBilled(line)) lastSecond = Math.max(lastSecond, line.end - 1)
  })
  const lastMonth = Math.min(calendar.monthOf(lastSecond), currentMonth + MAX_MONTHS - 1)
  const months = monthsBetween(currentMonth, lastMonth)
  // The first period is all time until now; the last month has all that is left.
  const ends = [now, ...months.slice(1).map(calendar.startOf), Number.POSITIVE_INFINITY]
  return recognitionByCurrency(dataset, ends, isBilled).map((currency, { recognised }) => ({
    currency,
    months: recordsByMonth(months, (index) => ({ recognised: recognised[index + 1]! })),
  }))
}
