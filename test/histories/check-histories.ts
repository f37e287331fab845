import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { runCommand } from '../../tools/cli/command.ts'
import { type Options, parseOptions } from '../../tools/cli/options.ts'
import { optionList, synopsis } from '../../tools/cli/usage.ts'
import { reportMissingTool } from '../support/packages/missing-tool.ts'
import { runs } from '../support/runs.ts'
import type { Operation } from './client.ts'
import { compiledJudge, judged, linesOf, timelineOf, type Violation } from './judge.ts'
import { plantedFaults, planting } from './planted.ts'
import { seeded } from './random.ts'
import { runRound } from './round.ts'
import { startProcesses } from './service.ts'

/**
 * Records histories of requests to processes of the service that are killed and started again, on a bad
 * network, and lets the judge, a checker that knows only what is promised, look for a key whose history
 * nothing explains.
 */

const folder = resolve('dist/histories', String(process.pid))
const VIOLATIONS = 'Violations'

/** A round takes less than a minute. */
const ROUNDS = runs(1, 22)

/** With a planted fault if one is named. Returns the file. */
const bundled = async (fault: string | undefined): Promise<string> => {
  const outfile = join(folder, 'process.mjs')
  await build({
    entryPoints: ['test/histories/process.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: plantedFaults.filter(({ name }) => name === fault).map(planting),
  })
  return outfile
}

/** Looks every two seconds until the round is over. */
const violationsIn = async (
  judge: string,
  history: readonly Operation[],
  round: Promise<void>,
): Promise<Violation[]> => {
  let isOver = false
  const over = round.then(() => {
    isOver = true
  })
  for (;;) {
    const wasOver = isOver
    const violations = await judged(judge, history)
    if (wasOver || violations.length > 0) return violations
    await Promise.race([over, pause(2_000)])
  }
}

const summary = (history: readonly Operation[], counts: Readonly<Record<string, number>>): string => {
  const keys = new Set(history.map(({ key }) => key)).size
  const unknown = history.filter(({ outcome }) => outcome === 'unknown').length
  const faults = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return `${history.length} operations on ${keys} keys, ${unknown} of unknown outcome; ${faults.join(', ')}`
}

/** Until the first violation. */
const checkHistories = async (judge: string, seed: string, fault?: string): Promise<void> => {
  const random = seeded(seed)
  const service = await startProcesses(await bundled(fault), random)
  const histories: Operation[][] = []
  let violations: Violation[] = []
  while (violations.length === 0 && histories.length < ROUNDS) {
    const history: Operation[] = []
    histories.push(history)
    const round = runRound(service.processes, random.forTask(`round ${histories.length}`), history)
    violations = await violationsIn(judge, history, round)
  }
  for (const [index, violation] of violations.entries()) {
    const file = join(folder, `violation-${index + 1}.ndjson`)
    writeFileSync(file, linesOf(violation.operations))
    console.error(`${timelineOf(violation)}\nsaved as ${file}\n`)
  }
  const outcome = violations.length > 0 ? VIOLATIONS : 'Every history is linearizable'
  const time = `seed ${seed}, ${Math.round(performance.now() / 1_000)} s`
  console.log(`${outcome}: ${time}: ${summary(histories.flat(), service.counts())}.`)
  await service.kill()
  // Clients of an unfinished round would wait for processes that have ended.
  process.exit(violations.length > 0 ? 1 : 0)
}

/** In a run of its own for each fault whose name contains the text. */
const checkFaults = (seed: string, text: string): void => {
  for (const { name } of plantedFaults.filter((fault) => fault.name.includes(text))) {
    const args = [import.meta.filename, '--seed', seed, '--fault', name]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    // The exit status does not tell a violation from a run that failed.
    const isFound = stdout.startsWith(VIOLATIONS)
    console.log(`${name}: ${isFound ? stdout.trim() : `not found: ${stdout}${stderr}`}`)
    if (!isFound) process.exitCode = 1
  }
}

const options = {
  seed: {
    value: 'SEED',
    about:
      'repeats the choices of each client and network of a run that printed this seed; by default, a random number',
  },
  fault: { value: 'NAME', about: 'plants a fault of test/histories/planted.txt in the service' },
  faults: {
    about: 'checks that a run finds each planted fault or, with TEXT, each one whose name contains it',
  },
} as const satisfies Options

await runCommand({
  name: 'check:histories',
  usage: `usage: npm run check:histories -- ${synopsis(options)} [TEXT]

Sends requests to processes of the service that are killed, over a bad network, and judges the recorded histories.

${optionList(options)}`,
  run: async (args) => {
    const { values, positionals } = parseOptions(args, options, { allowPositionals: true })
    const seed = values.seed ?? String(Math.floor(Math.random() * 1e6))
    if (values.faults) return checkFaults(seed, positionals[0] ?? '')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const judge = compiledJudge(folder)
    if (!judge) return reportMissingTool('histories are judged by a program in Go, which Python 3 installs.')
    await checkHistories(judge, seed, values.fault)
  },
})
