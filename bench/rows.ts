/** Our figure, and the baseline's if there is one. */
export interface Row {
  readonly label: string
  readonly unit: string
  readonly ours: number
  readonly baseline?: number
}

/** A part of the benchmark, selected by name on the command line. */
export type Piece = () => Promise<readonly Row[]>

const figure = (value: number | undefined): string => {
  if (value === undefined) return '–'
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 100 ? 4 : 3 })
}

const cellsOf = ({ label, unit, ours, baseline }: Row): string[] => [
  label,
  unit,
  figure(ours),
  figure(baseline),
  baseline === undefined ? '–' : `${(ours / baseline).toFixed(2)}×`,
]

export const table = (rows: readonly Row[]): string =>
  [
    ['measure', 'unit', 'ours', 'baseline', 'ratio'],
    ['---', '---', '--:', '--:', '--:'],
    ...rows.map(cellsOf),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
