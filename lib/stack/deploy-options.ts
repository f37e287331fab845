import { parseArgs } from 'node:util'

const ours = ['hotfix', 'profile']

/** Reads the arguments of `npm run deploy`. All but a few are options of `cdk deploy`: `others`. */
export const deployOptions = (args: readonly string[]) => {
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
