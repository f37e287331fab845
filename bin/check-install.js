// Runs before every command of package.json and before the CDK's app, with whatever Node the machine has. It is plain
// JavaScript, since an old Node does not read TypeScript. If a command could not run, it prints one line that says what to do.

import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

const isInstalled = (name) => existsSync(new URL(`node_modules/${name}/package.json`, root))
const missing = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isInstalled(name))

/** Returns the subject and verb of a sentence about packages. */
const list = ([first, ...others]) => {
  if (others.length === 0) return `${first} of this project is`
  return `${first} and ${others.length} other ${others.length === 1 ? 'package' : 'packages'} of this project are`
}

/** Returns what keeps a command from running; undefined if nothing does. */
const problem = () => {
  if (missing.length > 0) return `${list(missing)} not installed. Run: npm ci --include=dev`
  if (!process.features.typescript)
    return `This is Node ${process.versions.node}, and the project needs Node 22.18 or newer. The Node ${devDependencies.node} that it brings was not set up, since install scripts are disabled. Run: npm rebuild node --ignore-scripts=false`
  return undefined
}

const line = problem()
if (line !== undefined) {
  console.error(line)
  process.exitCode = 1
}
