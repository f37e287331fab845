import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { stages } from '../../lib/stages.ts'
import { missingTool } from '../support/missing-tool.ts'
import { pythonPackages } from '../support/python-packages.ts'
import { everyOption, stackIn } from '../support/stack.ts'

/** Synthesises every stage as an operator does, and a stage with every option, and lints the templates with cfn-lint. */

const outDir = resolve('dist/template')

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0

const synthesise = (stage: string): string => {
  const out = join(outDir, stage)
  if (!run('node_modules/.bin/cdk', ['synth', '--quiet', '-c', `stage=${stage}`, '-o', out]))
    throw new Error(`cdk synth failed for ${stage}`)
  return join(out, `billing-${stage}.template.json`)
}

const synthesiseEveryOption = (): string => {
  const work = join(outDir, 'every-option')
  stackIn(work, { stage: 'full', settings: everyOption, validated: true }).app.synth()
  return join(work, 'out', 'billing-full.template.json')
}

// CDK adds a redundant dependency of a function on its role (W3005).
const options = ['--non-zero-exit-code', 'informational', '--ignore-checks', 'W3005', '--']

const commands = pythonPackages()
if (commands) {
  const templates = [...Object.keys(stages).map(synthesise), synthesiseEveryOption()]
  process.exitCode = run(join(commands, 'cfn-lint'), [...options, ...templates]) ? 0 : 1
} else missingTool('the check needs cfn-lint, which Python 3 and its package registry provide.')
