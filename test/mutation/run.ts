import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '../../tools/local/engine.ts'
import { areas } from './areas.ts'

/**
 * Runs Stryker on the areas named on the command line, or on all. Stryker is installed in a separate folder, since it
 * would add a hundred packages to the project.
 */

const VERSION = '10.0.0'
const packages = ['core', 'jest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
const tool = join(cache, 'billing-data-api', `stryker-${VERSION}`)
const bin = join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const LEAST_PERCENT = 85

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

/** Counts the mutants that a test noticed, and all that tests could notice. */
const scoreOf = ({ files }: Report): { readonly killed: number; readonly all: number } => {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (pattern: RegExp): number => statuses.filter((status) => pattern.test(status)).length
  return { killed: count(/^(Killed|Timeout)$/), all: count(/^(Killed|Timeout|Survived|NoCoverage)$/) }
}

const engine = await startEngine()

const run = (area: string): Report => {
  const { mutate, tests, asProcesses } = areas[area]!
  const reportFile = `dist/mutation/${area}.json`
  const triedFile = `dist/mutation/${area}.tried.json`
  const config = JSON.parse(readFileSync('test/mutation/stryker.config.json', 'utf8')) as object
  mkdirSync('dist/mutation', { recursive: true })
  const configFile = `dist/mutation/${area}.config.json`
  const files = {
    jsonReporter: { fileName: reportFile },
    // A later run tries only mutants that changed, or whose tests changed.
    incremental: true,
    incrementalFile: triedFile,
  }
  // For code in other processes coverage is unknown, so no earlier result can be reused.
  const blind = asProcesses ? { coverageAnalysis: 'off', ignoreStatic: false, incremental: false } : {}
  const settings = JSON.stringify({ ...config, mutate, ...files, ...blind })
  // Removes files that no longer belong to the area from its report.
  if (existsSync(configFile) && readFileSync(configFile, 'utf8') !== settings)
    rmSync(triedFile, { force: true })
  writeFileSync(configFile, settings)
  const env = { ...process.env, MUTATION_TESTS: JSON.stringify(tests), TEST_ENGINE: engine.endpoint }
  rmSync(reportFile, { force: true })
  spawnSync(process.execPath, [bin, 'run', configFile], { stdio: 'inherit', env })
  if (!existsSync(reportFile)) {
    console.error(`${area}: its tests fail without any change; the reason stands above`)
    process.exit(1)
  }
  return JSON.parse(readFileSync(reportFile, 'utf8')) as Report
}

if (!existsSync(bin)) {
  mkdirSync(tool, { recursive: true })
  const install = ['install', '--silent', '--prefix', tool, '--save-exact', ...packages]
  spawnSync('npm', install, { stdio: 'inherit' })
}
const named = process.argv.slice(2)
const stranger = named.find((area) => !Object.hasOwn(areas, area))
if (stranger !== undefined) {
  console.error(`"${stranger}" is no area; there are: ${Object.keys(areas).join(', ')}`)
  process.exit(2)
}
const scores = (named.length > 0 ? named : Object.keys(areas)).map((area) => ({
  area,
  ...scoreOf(run(area)),
}))
await engine.stop()
for (const { area, killed, all } of scores)
  console.log(`${area.padEnd(12)} ${killed} of ${all} mutants noticed`)
const sum = (of: 'killed' | 'all'): number => scores.reduce((total, score) => total + score[of], 0)
const percent = (100 * sum('killed')) / sum('all')
console.log(`${sum('killed')} of ${sum('all')} mutants noticed: ${percent.toFixed(1)} %`)
process.exitCode = percent >= LEAST_PERCENT ? 0 : 1
