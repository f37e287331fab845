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
 * Lets schemathesis attack a service of its own in memory by the document it serves: all checks, all phases. Once
 * with few examples, or with `--long` with many and other seeds.
 */

const commands = installPythonPackages()
const workDir = 'dist/schemathesis'
const forms = { quick: { examples: 5, seeds: [1] }, long: { examples: 500, seeds: [1, 2, 3] } }

const attack = async (
  baseUrl: string,
  headers: Record<string, string>,
  options: string[],
): Promise<number> => {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const strict = ['--checks=all', '--continue-on-failure']
  const args = ['run', `${baseUrl}/openapi.json`, ...given, ...strict, ...options]
  const env = { ...process.env, SCHEMATHESIS_HOOKS: resolve('test/schemathesis/hooks.py') }
  // It writes files to its working directory.
  mkdirSync(workDir, { recursive: true })
  const child = spawn(join(commands as string, 'schemathesis'), args, { stdio: 'inherit', env, cwd: workDir })
  const [code] = await once(child, 'close')
  return code ?? 1
}

const run = async ({ examples, seeds }: (typeof forms)[keyof typeof forms]): Promise<number> => {
  const errors: string[] = []
  currentService().log = (line) => {
    if (line.includes('"level":"error"')) errors.push(line)
  }
  const { baseUrl, demo, stop } = await startService(localSettings({ PORT: '0' }, ['--memory']))
  const headers = { Authorization: `Bearer ${demo.api_key}`, 'x-app-id': demo.app_id }
  let failed = 0
  for (const seed of seeds)
    failed += await attack(baseUrl, headers, [`--max-examples=${examples}`, `--seed=${seed}`])
  await stop()
  for (const line of errors) console.error(line)
  return failed + errors.length === 0 ? 0 : 1
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
    if (commands) process.exitCode = await run(long ? forms.long : forms.quick)
    else reportMissingTool('the check needs schemathesis, which Python 3 and its package registry provide.')
  },
})
