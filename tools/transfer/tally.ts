import type { Outcome } from './deliver.ts'

type Reasons = Readonly<Record<string, number>>

/** How an import stands, or ended. */
export interface Tally extends Readonly<Record<Outcome, number>> {
  /** All rows that are to be imported; those left out on purpose do not count. */
  readonly rows: number
  /** Rows that an earlier run has recorded: counted here and in no outcome. */
  readonly resumed: number
  /** How many rows are left out, by the reason. */
  readonly skipped: Reasons
  /** How many rows cannot be sent, by the reason; they end as invalid. */
  readonly unusable: Reasons
  /** Seconds since the first row was sent; 0 while the files are read for the first time. */
  readonly seconds: number
}

/** Reasons beyond these are counted as one. */
const MOST_REASONS = 50

/** A tally that counts. */
export class Count implements Tally {
  rows = 0
  resumed = 0
  created = 0
  unchanged = 0
  conflict = 0
  invalid = 0
  failed = 0
  readonly skipped: Record<string, number> = {}
  readonly unusable: Record<string, number> = {}
  #begun: number | undefined

  get seconds(): number {
    return this.#begun === undefined ? 0 : (performance.now() - this.#begun) / 1000
  }

  /** Starts the clock. */
  begin(): void {
    this.#begun = performance.now()
  }

  /** Counts a row that is not sent. */
  reason(kind: 'skipped' | 'unusable', text: string): void {
    const reasons = this[kind]
    const name = text in reasons || Object.keys(reasons).length < MOST_REASONS ? text : 'other reasons'
    reasons[name] = (reasons[name] ?? 0) + 1
  }
}

/** Whether a row with this outcome is recorded. */
export const isWell = (outcome: Outcome): boolean => outcome === 'created' || outcome === 'unchanged'

/** Whether all rows are recorded. */
export const isComplete = ({ conflict, invalid, failed }: Tally): boolean => conflict + invalid + failed === 0

const number = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** How far an import is, in a line: rows, rate, time left, outcomes. */
export const lineOf = (tally: Tally): string => {
  const { rows, seconds, resumed, created, unchanged, conflict, invalid, failed } = tally
  if (seconds === 0) return `${number(rows)} rows read`
  const outcomes = { created, unchanged, conflict, invalid, failed }
  const sent = Object.values(outcomes).reduce((sum, each) => sum + each, 0)
  const rate = sent / seconds
  const rest = rows - sent - resumed
  const parts = Object.entries({ resumed, ...outcomes }).flatMap(([name, each]) =>
    each > 0 ? [`${number(each)} ${name}`] : [],
  )
  const left = rest > 0 && rate > 0 ? [`${duration(rest / rate)} left`] : []
  return [`${number(rows - rest)} of ${number(rows)} rows`, `${number(rate)}/s`, ...left, ...parts].join(', ')
}
