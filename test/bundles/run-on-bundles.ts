import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withoutAccount } from '../support/processes/no-account.ts'

/**
 * Runs the black-box tests of the API against the bundles of a synthesised stack, each with only the
 * environment of its template.
 */

const assembly = resolve('dist/assembly')

/**
 * Matches the imports with which a test looks into its own process or changes it, such as its clock and its
 * database client. Here, the handlers run in other processes.
 */
const usesOwnProcess =
  /from '(?:\.\.\/)+(?:shared\/(?:clock|log|store\/(?!credentials))|support\/(?:budgets|clock|database\/(?!dump-table)))/

const run = (args: readonly string[], env: Record<string, string> = {}): number =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...withoutAccount(process.env), ...env } })
    .status ?? 1

const tests = globSync('test/api/**/*.test.ts').sort()
const leftOut = tests.filter((file) => usesOwnProcess.test(readFileSync(file, 'utf8')))
const blackBox = tests.filter((file) => !leftOut.includes(file))
console.log(`Left out, since they need the process of the handlers: ${leftOut.join(', ')}.`)

const synthesised = run(['node_modules/.bin/cdk', 'synth', '--quiet', '-c', 'stage=prod', '-o', assembly])
process.exitCode =
  synthesised ||
  run(['node_modules/jest/bin/jest.js', '--runTestsByPath', ...blackBox], { BUNDLES: assembly })
