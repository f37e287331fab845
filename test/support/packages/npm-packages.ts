import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const manifestFolder = 'test/generators'
/** The folder into which the packages are installed. Programs that use them run in folders below it. */
export const npmPackagesFolder = resolve('dist/generators')

/**
 * Only checks need them. Installed at first use and after a change of their lock. Returns the folder of their
 * commands.
 */
export const installNpmPackages = async (): Promise<string> => {
  const installed = join(npmPackagesFolder, 'node_modules')
  const commands = join(installed, '.bin')
  const lock = join(manifestFolder, 'package-lock.json')
  const copy = join(installed, 'installed-lock.json')
  if (existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(lock, 'utf8')) return commands
  mkdirSync(npmPackagesFolder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(manifestFolder, file), join(npmPackagesFolder, file))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['ci', ...options], { cwd: npmPackagesFolder })
  copyFileSync(lock, copy)
  return commands
}
