import { createCopy, removeCopy, resetCopy, runInCopy } from './copy.ts'
import { recipes, type Step } from './recipes.ts'

/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the project: first in rounds, in each of which every recipe lacks
 * another of its steps, which a check must name, then all of them, with the compiler and the tests of what they extend.
 */

/** A step that is forgotten in a round, and the check that must name it. */
interface Forgotten {
  readonly recipe: string
  readonly step: Step
  readonly check: string
  readonly message: string
}

const compilePart = (part: string) => runInCopy('node_modules/typescript/bin/tsc', '-p', part)

/** The outputs of the compiler for the service and for the console. */
const compile = () => [compilePart('.'), compilePart('console')]
// One process, since other checks run beside this one.
const test = (...files: string[]) => runInCopy('node_modules/jest/bin/jest.js', '--maxWorkers=1', ...files)

const followAll = (forgotten: ReadonlySet<Step> = new Set()): void => {
  resetCopy()
  for (const step of allSteps) if (!forgotten.has(step)) step.follow()
}

const isOfCompiler = ({ check }: Forgotten): boolean => check === 'types'

/**
 * Rounds with at most one step of each recipe, and with no check twice, so that it is clear which step it names. The steps that
 * the compiler names have rounds of their own, since without them no test of a changed file starts.
 */
const roundsOf = (all: readonly Forgotten[]): Forgotten[][] => {
  const rounds: Forgotten[][] = []
  for (const forgotten of all) {
    const round = rounds.find((others) =>
      others.every(
        (other) =>
          isOfCompiler(other) === isOfCompiler(forgotten) &&
          other.recipe !== forgotten.recipe &&
          other.message !== forgotten.message,
      ),
    )
    if (round) round.push(forgotten)
    else rounds.push([forgotten])
  }
  return rounds
}

/** The lines of output in which the compiler or the tests of a round complain. */
const complaintsIn = (round: readonly Forgotten[]): string[] => {
  if (round.some(isOfCompiler)) return compile().flatMap(({ output }) => output.split('\n'))
  const files = new Set(round.map(({ check }) => check))
  // The tests of the files that no message names are left out.
  const titles = round.map(({ message }) => RegExp.escape(message)).join('|')
  const { output } = test(...files, '-t', titles)
  return output.split('\n').filter((line) => line.includes('●'))
}

const allSteps = Object.values(recipes).flat()
const guarded = Object.entries(recipes).flatMap(([recipe, steps]) =>
  steps.flatMap((step): Forgotten[] => {
    if (!step.guard) return []
    const [check, message] = step.guard
    return [{ recipe, step, check, message }]
  }),
)

createCopy()
const faults: string[] = []
for (const round of roundsOf(guarded)) {
  followAll(new Set(round.map(({ step }) => step)))
  const complaints = complaintsIn(round)
  for (const { recipe, step, check, message } of round) {
    const fault = `${recipe}, without "${step.name}": ${check} does not fail with "${message}"`
    const isNoticed = complaints.some((line) => line.includes(message))
    console.log(isNoticed ? `${recipe}, without "${step.name}": noticed` : fault)
    if (!isNoticed) faults.push(fault)
  }
}

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

followAll()
const results = [...compile(), test(...new Set(concerned))]
for (const { succeeds, output } of results) if (!succeeds) console.error(output)
removeCopy()
process.exitCode = faults.length === 0 && results.every(({ succeeds }) => succeeds) ? 0 : 1
