import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stages } from '../../lib/stages.ts'
import { missingTool } from '../support/missing-tool.ts'
import { pythonPackages } from '../support/python-packages.ts'
import { everyOption, stackIn } from '../support/stack.ts'
import type { TemplateJson } from './adapted.ts'
import { deploy } from './deployment.ts'
import { startEmulator } from './emulator.ts'

/** Synthesises every stage as an operator does, lints the templates, and deploys them to an emulator of AWS. */

const outDir = resolve('dist/template')

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0

const synthesise = (stage: string): string => {
  const out = join(outDir, stage)
  if (!run('node_modules/.bin/cdk', ['synth', '--quiet', '-c', `stage=${stage}`, '-o', out]))
    throw new Error(`cdk synth failed for ${stage}`)
  return join(out, `billing-${stage}.template.json`)
}

/** A stage with every option, whose template is only linted. */
const synthesiseEveryOption = (): string => {
  const work = join(outDir, 'every-option')
  stackIn(work, { stage: 'full', settings: everyOption }).app.synth()
  return join(work, 'out', 'billing-full.template.json')
}

// CDK adds a redundant dependency of a function on its role (W3005).
const options = ['--non-zero-exit-code', 'informational', '--ignore-checks', 'W3005', '--']
const lint = (commands: string, files: readonly string[]): boolean =>
  run(join(commands, 'cfn-lint'), [...options, ...files])

const check = async (commands: string): Promise<boolean> => {
  const templates = Object.keys(stages).map((stage) => [stage, synthesise(stage)] as const)
  if (!lint(commands, [...templates.map(([, path]) => path), synthesiseEveryOption()])) return false
  console.log('cfn-lint: nothing to say.')
  const emulator = await startEmulator(commands)
  try {
    for (const [stage, path] of templates) {
      const template = JSON.parse(readFileSync(path, 'utf8')) as TemplateJson
      const made = await deploy(emulator, `billing-${stage}`, template)
      console.log(`moto: ${stage} created and deleted, ${made}.`)
    }
    return true
  } catch (error) {
    // Its output arrives after its answer.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    console.error(emulator.said().slice(-3_000))
    throw error
  } finally {
    emulator.stop()
  }
}

const commands = pythonPackages('template', 'test/template/requirements.txt')
if (commands) process.exitCode = (await check(commands)) ? 0 : 1
else missingTool('the check needs cfn-lint and moto, which Python 3 and its package registry provide.')
