// Runs before every command of package.json and before the CDK app, with the Node of the machine. It is plain JavaScript,
// because an old Node cannot read TypeScript. If the command could not run, it prints one line with the remedy.

import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

const isInstalled = (name) => existsSync(new URL(`node_modules/${name}/package.json`, root))
const missing = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isInstalled(name))

/** Returns the subject and the verb of a sentence about packages. */
const packagesAre = ([first, ...others]) => {
  if (others.length === 0) return `${first} of this project is`
  return `${first} and ${others.length} other ${others.length === 1 ? 'package' : 'packages'} of this project are`
}

/** Returns the problem because of which no command can run; undefined if there is none. */
const findProblem = () => {
  if (missing.length > 0) return `${packagesAre(missing)} not installed. Run: npm ci --include=dev`
  if (!process.features.typescript)
    return `This is Node ${process.versions.node}, and the project needs Node 22.18 or newer. The Node ${devDependencies.node} that it brings was not set up, since install scripts are disabled. Run: npm rebuild node --ignore-scripts=false`
  return undefined
}

const problem = findProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
}
