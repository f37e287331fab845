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
const tool = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'billing-data-api',
  `stryker-${VERSION}`,
)
const bin = join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const LEAST_PERCENT = 85

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

const count = (report: Report, ...wanted: string[]): number =>
  Object.values(report.files)
    .flatMap(({ mutants }) => mutants)
    .filter(({ status }) => wanted.includes(status)).length

const engine = await startEngine(0)

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
  spawnSync('npm', ['install', '--silent', '--prefix', tool, '--save-exact', ...packages], {
    stdio: 'inherit',
  })
}
const named = process.argv.slice(2)
const stranger = named.find((area) => !Object.hasOwn(areas, area))
if (stranger !== undefined) {
  console.error(`"${stranger}" is no area; there are: ${Object.keys(areas).join(', ')}`)
  process.exit(2)
}
const reports = (named.length > 0 ? named : Object.keys(areas)).map((area) => ({ area, report: run(area) }))
await engine.stop()
const total = { killed: 0, all: 0 }
for (const { area, report } of reports) {
  const killed = count(report, 'Killed', 'Timeout')
  const all = killed + count(report, 'Survived', 'NoCoverage')
  total.killed += killed
  total.all += all
  console.log(`${area.padEnd(12)} ${killed} of ${all} mutants noticed`)
}
const percent = (100 * total.killed) / total.all
console.log(`${total.killed} of ${total.all} mutants noticed: ${percent.toFixed(1)} %`)
process.exitCode = percent >= LEAST_PERCENT ? 0 : 1
