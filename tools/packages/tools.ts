import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const lock = join(folder, 'package-lock.json')
/** A copy of the lock of the installed tools, written after they are installed. */
const installedLock = join(folder, 'node_modules', 'installed-lock.json')

const isInstalled = (): boolean =>
  existsSync(installedLock) && readFileSync(installedLock, 'utf8') === readFileSync(lock, 'utf8')

const install = (): void => {
  if (isInstalled()) return
  console.error('Installing the tools of tools/packages/package.json (only once).')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: [0, 2, 2] })
  if (status !== 0) throw new Error('npm could not install the tools of tools/packages/package.json')
  copyFileSync(lock, installedLock)
}

/** Returns the path of a tool's command. Installs the tools on first use and after each change of their lock. */
export const toolCommand = (name: string): string => {
  install()
  const path = join(folder, 'node_modules', '.bin', name)
  if (!existsSync(path)) throw new Error(`tools/packages/package.json has no tool with a command "${name}"`)
  return path
}

/** Loads a tool as a module; installs it in the same way. */
export const toolModule = (name: string): unknown => {
  install()
  return createRequire(import.meta.url)(name)
}
