import { createCopy, removeCopy, resetCopy, runInCopy } from './copy.ts'
import { recipes, type Step } from './recipes.ts'

/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the project: first each recipe again and again without
 * one of its steps, which a check must name, then all of them, with the compiler and the tests of what they extend.
 */

const compilePart = (part: string) => runInCopy('node_modules/typescript/bin/tsc', '-p', part)

/** The console is compiled only after what it imports. */
const compile = () => {
  const service = compilePart('.')
  return service.succeeds ? compilePart('console') : service
}
const test = (...files: string[]) => runInCopy('node_modules/jest/bin/jest.js', ...files)

/** Undefined if the check names the forgotten step. */
const unnoticed = (recipe: string, steps: readonly Step[], forgotten: Step): string | undefined => {
  const [check, message] = forgotten.guard!
  resetCopy()
  for (const step of steps) if (step !== forgotten) step.follow()
  // The tests of the file that the message does not name are left out.
  const { succeeds, output } = check === 'types' ? compile() : test(check, '-t', RegExp.escape(message))
  const complaints = output.split('\n').filter((line) => check === 'types' || line.includes('●'))
  const isNamed = !succeeds && complaints.some((line) => line.includes(message))
  return isNamed
    ? undefined
    : `${recipe}, without "${forgotten.name}": ${check} does not fail with "${message}"`
}

createCopy()
const faults: string[] = []
for (const [recipe, steps] of Object.entries(recipes))
  for (const step of steps.filter(({ guard }) => guard)) {
    const fault = unnoticed(recipe, steps, step)
    console.log(fault ?? `${recipe}, without "${step.name}": noticed`)
    if (fault !== undefined) faults.push(fault)
  }

const allSteps = Object.values(recipes).flat()
/** The suites that notice a forgotten step, and all of the parts that the recipes extend. */
const concerned = [
  ...allSteps.flatMap(({ guard }) => (guard && guard[0] !== 'types' ? [guard[0]] : [])),
  ...[
    'api/(fields|ids|mistakes|routes|specification|tenants)',
    'contract/',
    'openapi/',
    'console/',
    'package/',
  ].map((tests) => `test/${tests}`),
]

resetCopy()
for (const step of allSteps) step.follow()
const results = [compile(), test(...new Set(concerned))]
for (const { succeeds, output } of results) if (!succeeds) console.error(output)
removeCopy()
process.exitCode = faults.length === 0 && results.every(({ succeeds }) => succeeds) ? 0 : 1
