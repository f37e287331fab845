import { parseArgs } from 'node:util'

/** The options that `cdk deploy` does not get. */
const ownOptions = ['hotfix', 'profile']

/** Reads the arguments of `npm run deploy`. Returns the stage, our own options, and in `others` the arguments for `cdk deploy`. */
export const deployOptions = (args: readonly string[]) => {
  const options = {
    hotfix: { type: 'boolean' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
  } as const
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const { hotfix = false, context = [], profile } = values
  /** The positions of our own options and of their values. */
  const ownPositions = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== 'option' || !ownOptions.includes(token.name)) continue
    ownPositions.add(token.index)
    if (token.value !== undefined && !token.inlineValue) ownPositions.add(token.index + 1)
  }
  const stage = context.findLast((setting) => String(setting).startsWith('stage='))
  return {
    stage: stage === undefined ? 'dev' : String(stage).slice('stage='.length),
    hotfix: hotfix === true,
    profile: typeof profile === 'string' ? profile : undefined,
    others: args.filter((_, index) => !ownPositions.has(index)),
  }
}
