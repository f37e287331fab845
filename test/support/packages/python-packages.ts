import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const requirements = 'test/support/packages/requirements.txt'

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0

/**
 * Installs the pinned Python packages of all checks into one environment, at the first run on a machine.
 * Returns the folder of their commands, or undefined if Python 3 or a package registry is missing.
 */
export const installPythonPackages = (): string | undefined => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const venv = join(cache, 'billing-data-api', 'python')
  const commands = join(venv, 'bin')
  const complete = join(venv, 'complete')
  if (existsSync(complete) && readFileSync(complete, 'utf8') === readFileSync(requirements, 'utf8'))
    return commands
  rmSync(venv, { recursive: true, force: true })
  const packages = ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]
  if (!succeeds('python3', ['-m', 'venv', venv]) || !succeeds(join(commands, 'pip'), packages))
    return undefined
  copyFileSync(requirements, complete)
  return commands
}
