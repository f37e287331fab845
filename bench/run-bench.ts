import { UsageError } from '../tools/cli/command.ts'
import { parseOptions } from '../tools/cli/options.ts'
import { optionList } from '../tools/cli/usage.ts'
import { stopEngine } from './fixture.ts'
import { cpu } from './pieces/cpu.ts'
import { figures } from './pieces/figures.ts'
import { firstResponse } from './pieces/first-response.ts'
import { flatness } from './pieces/flatness.ts'
import { imports } from './pieces/imports.ts'
import { load } from './pieces/load.ts'
import { throughput } from './pieces/throughput.ts'
import { units } from './pieces/units.ts'
import { markdownTable, type Piece } from './rows.ts'

const pieces: Readonly<Record<string, Piece>> = {
  load,
  'first-response': firstResponse,
  cpu,
  throughput,
  import: imports,
  flatness,
  units,
  figures,
}
const pieceNames = Object.keys(pieces)

export const benchUsage = `usage: npm run bench -- [PIECE …]

Measures the named pieces, by default all: ${pieceNames.join(', ')}.

${optionList({})}`

/** Runs the named pieces, by default all. Throws UsageError for an unknown name. */
export const runBench = async (args: readonly string[]): Promise<void> => {
  const names = parseOptions(args, {}, { allowPositionals: true }).positionals
  const unknown = names.find((name) => !pieceNames.includes(name))
  if (unknown !== undefined) throw new UsageError(`"${unknown}" must be one of ${pieceNames.join(', ')}`)
  try {
    for (const name of names.length > 0 ? names : pieceNames) {
      console.error(`${name} …`)
      console.log(`${markdownTable(await pieces[name]!())}\n`)
    }
  } finally {
    await stopEngine()
  }
}
