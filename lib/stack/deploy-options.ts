import { parseArgs } from 'node:util'

/** The options that `cdk deploy` does not get. */
const ownOptions = ['hotfix', 'profile']

/** Reads the arguments of `npm run deploy`. Most of them are options of `cdk deploy`: `others`. */
export const deployOptions = (args: readonly string[]) => {
  const options = {
    hotfix: { type: 'boolean' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
  } as const
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const { hotfix = false, context = [], profile } = values
  const read = tokens.flatMap((token) => {
    if (token.kind !== 'option' || !ownOptions.includes(token.name)) return []
    return token.value !== undefined && !token.inlineValue ? [token.index, token.index + 1] : [token.index]
  })
  return {
    stage: context.flatMap((setting) => /^stage=(.*)$/.exec(String(setting))?.[1] ?? []).at(-1) ?? 'dev',
    hotfix: hotfix === true,
    profile: typeof profile === 'string' ? profile : undefined,
    others: args.filter((_, index) => !read.includes(index)),
  }
}
