import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { addChecks } from '../../lib/stack/checks.ts'
import { type StageSettings, stages } from '../../lib/stages.ts'
import { reportMissingTool } from '../support/packages/missing-tool.ts'
import { installPythonPackages } from '../support/packages/python-packages.ts'
import { everyOption, stackIn } from '../support/stack/test-stages.ts'

/**
 * Synthesises every stage, and a stage with every option before and after a restore, with all checks of a
 * deployment. Lints the templates with cfn-lint.
 */

const outDir = resolve('dist/template')

/** Returns the path of its template. */
const synthesise = ([stage, settings]: readonly [string, StageSettings]): string => {
  const work = join(outDir, stage)
  const { app, stack } = stackIn(work, { stage, settings, validated: true })
  addChecks(app, stack, { stage, settings })
  app.synth()
  return join(work, 'out', `${stack.stackName}.template.json`)
}

// CDK adds a redundant dependency of a function on its role (W3005).
const options = ['--non-zero-exit-code', 'informational', '--ignore-checks', 'W3005', '--']

const commands = installPythonPackages()
if (commands) {
  const withOwnTable = { ...everyOption, table: { kept: true }, events: true, firewall: false } as const
  const templates = Object.entries({ ...stages, full: everyOption, own: withOwnTable }).map(synthesise)
  const { status } = spawnSync(join(commands, 'cfn-lint'), [...options, ...templates], { stdio: 'inherit' })
  process.exitCode = status === 0 ? 0 : 1
} else reportMissingTool('the check needs cfn-lint, which Python 3 and its package registry provide.')
