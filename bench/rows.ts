/** Our figure, and the baseline's if there is one. */
export interface Measurement {
  readonly label: string
  readonly unit: string
  readonly ours: number
  readonly baseline?: number
}

/** A part of the benchmark, selected by name on the command line. */
export type Piece = () => Promise<readonly Measurement[]>

const figure = (value: number | undefined): string => {
  if (value === undefined) return '–'
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 100 ? 4 : 3 })
}

const cellsOf = ({ label, unit, ours, baseline }: Measurement): string[] => [
  label,
  unit,
  figure(ours),
  figure(baseline),
  baseline === undefined ? '–' : `${(ours / baseline).toFixed(2)}×`,
]

export const markdownTable = (rows: readonly Measurement[]): string =>
  [
    ['measure', 'unit', 'ours', 'baseline', 'ratio'],
    ['---', '---', '--:', '--:', '--:'],
    ...rows.map(cellsOf),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
