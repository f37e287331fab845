import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { currentService } from '../../shared/store/service.ts'
import { runCommand } from '../../tools/cli/command.ts'
import { type Options, parseOptions } from '../../tools/cli/options.ts'
import { optionList, synopsis } from '../../tools/cli/usage.ts'
import { startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { reportMissingTool } from '../support/packages/missing-tool.ts'
import { installPythonPackages } from '../support/packages/python-packages.ts'

/**
 * Runs schemathesis, with all checks and all phases, against a service in memory and the OpenAPI document
 * that it serves: once with few examples, or with `--long` three times with many examples.
 */

const commands = installPythonPackages()
const workDir = 'dist/schemathesis'
const extents = { quick: { examples: 5, seeds: [1] }, long: { examples: 500, seeds: [1, 2, 3] } }

/** Returns the exit code. */
const attack = async (
  baseUrl: string,
  headers: Record<string, string>,
  options: string[],
): Promise<number> => {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const checkOptions = ['--checks=all', '--continue-on-failure']
  const args = ['run', `${baseUrl}/openapi.json`, ...headerOptions, ...checkOptions, ...options]
  const env = { ...process.env, SCHEMATHESIS_HOOKS: resolve('test/schemathesis/hooks.py') }
  // Schemathesis writes files to its working directory.
  mkdirSync(workDir, { recursive: true })
  const child = spawn(join(commands as string, 'schemathesis'), args, { stdio: 'inherit', env, cwd: workDir })
  const [code] = await once(child, 'close')
  return code ?? 1
}

/**
 * Attacks a new service once for each seed. Returns 1 if schemathesis found a failure or the service logged
 * an error, otherwise 0.
 */
const attackService = async ({ examples, seeds }: (typeof extents)[keyof typeof extents]): Promise<0 | 1> => {
  const errors: string[] = []
  currentService().log = (line) => {
    if (line.includes('"level":"error"')) errors.push(line)
  }
  const { baseUrl, demo, stop } = await startService(localSettings({ PORT: '0' }, ['--memory']))
  const headers = { Authorization: `Bearer ${demo.api_key}`, 'x-app-id': demo.app_id }
  let hasFailed = false
  for (const seed of seeds) {
    const code = await attack(baseUrl, headers, [`--max-examples=${examples}`, `--seed=${seed}`])
    if (code !== 0) hasFailed = true
  }
  await stop()
  for (const line of errors) console.error(line)
  return hasFailed || errors.length > 0 ? 1 : 0
}

const options = {
  long: { about: 'sends many more requests, with three seeds' },
} as const satisfies Options

await runCommand({
  name: 'check:schemathesis',
  usage: `usage: npm run check:schemathesis -- ${synopsis(options)}

Attacks the service with requests made from its OpenAPI document.

${optionList(options)}`,
  run: async (args) => {
    const { long } = parseOptions(args, options).values
    if (commands) process.exitCode = await attackService(long ? extents.long : extents.quick)
    else reportMissingTool('the check needs schemathesis, which Python 3 and its package registry provide.')
  },
})
