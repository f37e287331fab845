import { parseArgs } from 'node:util'

/** The options of a deployment that are read here, and the arguments that the CDK gets. */
interface DeployOptions {
  readonly stage: string
  readonly hotfix: boolean
  readonly profile: string | undefined
  readonly others: readonly string[]
}

const ours = ['hotfix', 'profile']

/** Reads the arguments of `npm run deploy`, all but a few of which are options of `cdk deploy`. */
export const deployOptions = (args: readonly string[]): DeployOptions => {
  const options = {
    hotfix: { type: 'boolean' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
  } as const
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const { hotfix = false, context = [], profile } = values
  const read = tokens.flatMap((token) => {
    if (token.kind !== 'option' || !ours.includes(token.name)) return []
    return token.value !== undefined && !token.inlineValue ? [token.index, token.index + 1] : [token.index]
  })
  return {
    stage: context.flatMap((each) => /^stage=(.*)$/.exec(String(each))?.[1] ?? []).at(-1) ?? 'dev',
    hotfix: hotfix === true,
    profile: typeof profile === 'string' ? profile : undefined,
    others: args.filter((_, index) => !read.includes(index)),
  }
}
