import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withoutAccount } from '../support/processes/no-account.ts'

/**
 * Runs the black-box tests of the API against the bundles of a synthesised stack, each with only the environment of its
 * template.
 */

const assembly = resolve('dist/assembly')
const tests = 'test/api'

// Tests that inspect the process of the handlers, which is another one here.
const inspectsProcess =
  /from '(?:\.\.\/\.\.\/shared\/(?:clock|log|store\/(?!credentials))|\.\.\/support\/(?:budgets|clock|dump-table|meter|overtaking|wire-faults|fault-proxy))/

const run = (args: readonly string[], env: Record<string, string> = {}): number =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...withoutAccount(process.env), ...env } })
    .status ?? 1

const all = readdirSync(tests).filter((name) => name.endsWith('.test.ts'))
const left = all.filter((name) => inspectsProcess.test(readFileSync(join(tests, name), 'utf8')))
const blackBox = all.filter((name) => !left.includes(name)).map((name) => join(tests, name))
console.log(`Left out, since they inspect the process of the handlers: ${left.join(', ')}.`)

const synthesised = run(['node_modules/.bin/cdk', 'synth', '--quiet', '-c', 'stage=prod', '-o', assembly])
process.exitCode =
  synthesised ||
  run(['node_modules/jest/bin/jest.js', '--runTestsByPath', ...blackBox], { BUNDLES: assembly })
