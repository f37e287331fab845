import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Measurement, Piece } from '../rows.ts'

const FEW = 109_000
const MANY = 1_070_000

interface FigureCost {
  readonly seconds: number
  readonly kilobytes: number
}

/** In a process of its own, whose memory has nothing else. */
const measureFigure = async (count: number, name: string): Promise<FigureCost> => {
  const options = ['--max-old-space-size=12000', 'bench/figures-child.ts', String(count), name]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout)
}

const rowsOf = async (count: number, name: string, label: string): Promise<Measurement[]> => {
  const { seconds, kilobytes } = await measureFigure(count, name)
  const measure = `${label} of ${count.toLocaleString('en')} invoices`
  return [
    { label: measure, unit: 's of processor time', ours: seconds },
    { label: `${measure}, with the page’s copy, at most`, unit: 'MB', ours: kilobytes / 1024 },
  ]
}

/** Some figures alone, and all of them, also of ten times as many invoices. */
export const figures: Piece = async () => [
  ...(await rowsOf(FEW, 'invoicedByMonth', 'invoiced by month')),
  ...(await rowsOf(FEW, 'recurringByMonth', 'recurring revenue')),
  ...(await rowsOf(FEW, 'coverageOf', 'coverage')),
  ...(await rowsOf(FEW, 'figuresOf', 'all figures')),
  ...(await rowsOf(MANY, 'figuresOf', 'all figures')),
]
