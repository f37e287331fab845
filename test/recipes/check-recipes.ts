import { createCopy, removeCopy, runInCopy } from './copy.ts'
import { recipes, type Step } from './recipes.ts'

/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the project: first each recipe again and again without
 * one of its steps, which a check must name, then all of them, with the compiler and the tests.
 */

const compile = () => {
  const parts = ['.', 'console'].map((part) => runInCopy('node_modules/typescript/bin/tsc', '-p', part))
  return {
    succeeds: parts.every(({ succeeds }) => succeeds),
    output: parts.map(({ output }) => output).join(''),
  }
}
const test = (...files: string[]) => runInCopy('node_modules/jest/bin/jest.js', ...files)

/** Undefined if the check names the forgotten step. */
const unnoticed = (recipe: string, steps: readonly Step[], forgotten: Step): string | undefined => {
  const [check, message] = forgotten.guard!
  createCopy()
  for (const step of steps) if (step !== forgotten) step.follow()
  const { succeeds, output } = check === 'types' ? compile() : test(check)
  const complaints = output.split('\n').filter((line) => check === 'types' || line.includes('●'))
  const isNamed = !succeeds && complaints.some((line) => line.includes(message))
  return isNamed
    ? undefined
    : `${recipe}, without "${forgotten.name}": ${check} does not fail with "${message}"`
}

const faults: string[] = []
for (const [recipe, steps] of Object.entries(recipes))
  for (const step of steps.filter(({ guard }) => guard)) {
    const fault = unnoticed(recipe, steps, step)
    console.log(fault ?? `${recipe}, without "${step.name}": noticed`)
    if (fault !== undefined) faults.push(fault)
  }

/** Of these folders, no recipe changes what their tests run. */
const unconcerned = ['machines', 'upgrade', 'demo', 'local', 'faults', 'store', 'model', 'smoke', 'operator']
const testAll = () => test('--testPathIgnorePatterns', '/node_modules/', `test/(${unconcerned.join('|')})/`)

createCopy()
for (const step of Object.values(recipes).flat()) step.follow()
const results = [compile(), testAll()]
for (const { succeeds, output } of results) if (!succeeds) console.error(output)
removeCopy()
process.exitCode = faults.length === 0 && results.every(({ succeeds }) => succeeds) ? 0 : 1
