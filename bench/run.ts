import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { UsageError } from '../tools/operator/command.ts'
import type { Progress } from './interleave.ts'
import type { Piece } from './piece.ts'
import { countsPiece } from './pieces/counts.ts'
import { cpu } from './pieces/cpu.ts'
import { endurance } from './pieces/endurance.ts'
import { firstAnswer } from './pieces/first-answer.ts'
import { growth } from './pieces/growth.ts'
import { imports } from './pieces/imports.ts'
import { load } from './pieces/load.ts'
import { pages } from './pieces/pages.ts'
import { shards } from './pieces/shards.ts'
import { sizes } from './pieces/sizes.ts'
import { throughput } from './pieces/throughput.ts'
import { validation } from './pieces/validation.ts'
import { judged, type Row, table } from './rows.ts'
import { stopEngine } from './world.ts'

const pieces: readonly Piece[] = [
  sizes,
  load,
  firstAnswer,
  cpu,
  countsPiece,
  pages,
  growth,
  throughput,
  imports,
  shards,
  endurance,
  validation,
]

const known = pieces.flatMap(({ ids }) => ids)

/** The usage text of `npm run bench`. */
export const benchUsage = `usage: npm run bench -- [PIECE …] [--long]
       all pieces unless some are named: ${known.join(', ')}`

const chosen = (names: readonly string[]): readonly Piece[] => {
  const stray = names.find((name) => !known.includes(name))
  if (stray !== undefined) throw new UsageError(`"${stray}" must be --long or one of ${known.join(', ')}`)
  return names.length === 0 ? pieces : pieces.filter(({ ids }) => ids.some((id) => names.includes(id)))
}

const PRINT_EVERY_MILLIS = 5_000

/** Returns a function that prints the progress of a piece, at most every five seconds. */
const progressOf = (name: string): Progress => {
  let said = -Infinity
  return (text) => {
    if (performance.now() - said < PRINT_EVERY_MILLIS) return
    said = performance.now()
    console.error(`${name}: ${text}`)
  }
}

/** Runs the named pieces (`P2 P5`), by default all; `--long` uses the full numbers. Prints a table and writes dist/bench.json. */
export const runBench = async (args: readonly string[]): Promise<void> => {
  const long = args.includes('--long')
  const wanted = chosen(args.filter((arg) => arg !== '--long'))
  const rows: Row[] = []
  const started = performance.now()
  try {
    for (const { ids, run } of wanted) {
      const measured = await run({ progress: progressOf(ids.join(' ')), long })
      rows.push(...measured.map((row) => judged({ id: ids[0]!, ...row })))
    }
  } finally {
    await stopEngine()
  }
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model, long }
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/bench.json', `${JSON.stringify({ ...machine, rows }, null, 2)}\n`)
  console.log(table(rows))
  console.error(`${Math.round((performance.now() - started) / 1000)} s; also in dist/bench.json`)
}
