import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setLogSink } from '../../shared/log.ts'
import { missingTool } from '../support/missing-tool.ts'
import { runs } from '../support/runs.ts'
import { bundled } from './bundle.ts'
import { compiledJudge, judged, linesOf, timelineOf, type Violation } from './judge.ts'
import { HOLD_BACK_SECONDS } from './network.ts'
import { type PlantedFault, plantedFaults } from './planted.ts'
import { seeded } from './random.ts'
import type { Operation } from './recorder.ts'
import { runRound } from './round.ts'
import { startProcesses } from './service.ts'

/**
 * Records histories of requests to processes of the service that are killed and started again, on a bad network, and lets
 * the judge, a checker that knows only what is promised, look for a key whose history nothing explains.
 */

const folder = resolve('dist/histories', String(process.pid))
/** The time of a run in seconds, the last hold-back included. */
const SECONDS = runs(60, 1_200)

/** What a run did until it ended, or until the judge found a violation. */
interface Report {
  readonly seconds: number
  readonly rounds: number
  readonly history: readonly Operation[]
  readonly counts: Readonly<Record<string, number>>
  readonly violations: readonly Violation[]
}

const run = async (judge: string, seed: number, fault?: PlantedFault): Promise<Report> => {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1_000
  const random = seeded(String(seed))
  const service = await startProcesses(await bundled(folder, fault), random)
  const histories: (readonly Operation[])[] = []
  const violations: Violation[] = []
  const look = async (history: readonly Operation[]) =>
    void violations.push(...(await judged(judge, history)))
  const settling: Promise<void>[] = []
  const lastStart = SECONDS - HOLD_BACK_SECONDS - 15
  while (violations.length === 0 && seconds() < lastStart) {
    const { history, settle } = await runRound(service.processes, random.of(`round ${histories.length + 1}`))
    histories.push(history)
    await look(history)
    if (violations.length === 0) settling.push(settle().then(look))
  }
  // A planted fault is found by any round.
  const settled = Promise.all(settling)
  while (violations.length === 0 && (await Promise.race([settled, pause(200, 'later')])) === 'later');
  const report = {
    seconds: Math.round(seconds()),
    rounds: histories.length,
    violations,
    counts: service.counts(),
  }
  settled.catch(() => undefined)
  await service.stop()
  return { ...report, history: histories.flat() }
}

const sentence = ({ history, counts, rounds, seconds }: Report, seed: number): string => {
  const keys = new Set(history.map(({ key }) => key)).size
  const unknown = history.filter(({ outcome }) => outcome === 'unknown').length
  const faults = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return `seed ${seed}, ${seconds} s, ${rounds} rounds: ${history.length} operations on ${keys} keys, ${unknown} of unknown outcome; ${faults.join(', ')}`
}

/** Runs once on the service as it is. */
const checkHistories = async (judge: string, seed: number): Promise<void> => {
  const report = await run(judge, seed)
  for (const [index, violation] of report.violations.entries()) {
    const file = join(folder, `violation-${index + 1}.ndjson`)
    writeFileSync(file, linesOf(violation.operations))
    console.error(`${timelineOf(violation)}\nsaved as ${file}\n`)
  }
  if (report.violations.length > 0) process.exitCode = 1
  else console.log(`Every history is linearizable: ${sentence(report, seed)}.`)
}

/** Plants each fault and requires that the judge finds it in the time of a run. */
const checkFaults = async (judge: string, seed: number, only: string): Promise<void> => {
  for (const fault of plantedFaults().filter(({ name }) => name.includes(only))) {
    const report = await run(judge, seed, fault)
    const [found] = report.violations
    const outcome = found ? `found after ${report.seconds} s` : `not found in ${report.seconds} s`
    console.log(
      `${fault.name}: ${outcome}, ${report.history.length} operations${found ? `; ${found.key}: ${found.why}` : ''}`,
    )
    if (!found) process.exitCode = 1
  }
}

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, faults: { type: 'boolean' } },
  allowPositionals: true,
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
setLogSink(() => undefined)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const judge = compiledJudge(folder)
if (!judge) missingTool('histories are judged by a program in Go.')
else if (values.faults) await checkFaults(judge, seed, positionals[0] ?? '')
else await checkHistories(judge, seed)
