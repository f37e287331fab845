/** A goal: at most, or at least, this number. */
export interface Goal {
  readonly most?: number
  readonly least?: number
}

/** One measure: our figure, the baseline's, and the goal. */
export interface Measurement {
  /** The measure's number, such as `P1`; by default the first of its piece. */
  readonly id?: string
  readonly what: string
  readonly unit: string
  /** Absent if this machine cannot measure it. */
  readonly ours?: number
  /** Absent if the goal is an absolute figure. */
  readonly baseline?: number
  /** The goal for the ratio if there is a baseline, else for our figure; absent for information only. */
  readonly goal?: Goal
  readonly stretch?: Goal
}

export interface Row extends Measurement {
  readonly ratio: number | null
  readonly verdict: 'stretch' | 'goal' | 'missed' | ''
}

const meets = (value: number, { most = Infinity, least = -Infinity }: Goal): boolean =>
  value <= most && value >= least

/** Adds ratio and verdict to a measurement. */
export const judged = (measurement: Measurement): Row => {
  const { ours, baseline, goal, stretch } = measurement
  const ratio = ours === undefined || baseline === undefined ? null : ours / baseline
  const value = ratio ?? ours
  const verdict =
    !goal || value === undefined
      ? ''
      : stretch && meets(value, goal) && meets(value, stretch)
        ? 'stretch'
        : meets(value, goal)
          ? 'goal'
          : 'missed'
  return { ...measurement, ratio, verdict }
}

const figure = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–'
  if (Number.isInteger(value)) return value.toLocaleString('en')
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 100 ? 4 : 3 })
}

const goalText = ({ most, least }: Goal, relative: boolean): string => {
  const sign = relative ? '×' : ''
  return most === undefined ? `≥ ${figure(least)}${sign}` : `≤ ${figure(most)}${sign}`
}

const cellsOf = ({ id = '', what, unit, ours, baseline, ratio, goal, stretch, verdict }: Row): string[] => [
  id,
  what,
  unit,
  figure(ours),
  figure(baseline),
  ratio === null ? '–' : `${ratio.toFixed(2)}×`,
  goal ? goalText(goal, ratio !== null) : '–',
  stretch ? goalText(stretch, ratio !== null) : '–',
  verdict,
]

const heads = ['#', 'measure', 'unit', 'ours', 'baseline', 'ratio', 'goal', 'stretch', 'verdict']
const NUMBERS = new Set([3, 4, 5, 6, 7])

/** Formats rows as an aligned Markdown table. */
export const table = (rows: readonly Row[]): string => {
  const cells = [heads, ...rows.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (NUMBERS.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (NUMBERS.has(column) ? `${'-'.repeat(width + 1)}:` : `:${'-'.repeat(width + 1)}`)).join('|')}|`
  return [line(heads), rule, ...cells.slice(1).map(line)].join('\n')
}
