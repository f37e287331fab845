import { readFileSync } from 'node:fs'
import type { DeploymentRequest } from '../../lib/stack/deployment.ts'
import { type Option, type Options, parseOwnOptions } from '../cli/options.ts'
import { optionList, synopsis } from '../cli/usage.ts'

const options = {
  context: {
    short: 'c',
    value: 'KEY=VALUE',
    isRepeatable: true,
    about: 'a context value of the CDK; stage=STAGE selects the stage, which is dev by default',
  },
  hotfix: {
    about:
      'deploys although the alarm is firing, without the ten minutes after the update and without checking a restored table',
  },
  profile: { value: 'NAME', about: 'the AWS profile; by default, the credentials of the environment' },
} as const satisfies Options

export const deployUsage = `usage: npm run deploy -- ${synopsis(options)} [OPTIONS OF cdk deploy]

Deploys a stage. If the stage keeps data, an update is rolled back if the alarm 5xx-rate fires while it runs or in the ten
minutes after it, and a restored table must have the indexes and ceilings that the code needs.

${optionList(options)}`

interface CdkOption {
  readonly type: string
  readonly alias?: string | readonly string[]
}

const registryFile = new URL('../../node_modules/aws-cdk/lib/cli/cli-type-registry.json', import.meta.url)

/** With the negations of flags, such as `no-rollback`. */
const readCdkOptions = (): Options => {
  const { globalOptions, commands } = JSON.parse(readFileSync(registryFile, 'utf8'))
  const declared: Readonly<Record<string, CdkOption>> = { ...globalOptions, ...commands.deploy.options }
  const cdkOptions: Record<string, Option> = {}
  for (const [name, { type, alias = [] }] of Object.entries(declared)) {
    const option = type === 'boolean' || type === 'count' ? { about: '' } : { about: '', value: 'VALUE' }
    const short = [alias].flat().find((letters) => letters.length === 1)
    cdkOptions[name] = short === undefined ? option : { ...option, short }
    if (type === 'boolean') cdkOptions[`no-${name}`] = { about: '' }
  }
  return cdkOptions
}

/**
 * Throws UsageError for an option that neither this command nor `cdk deploy` has, which the CDK would ignore.
 */
export const deploymentFrom = (args: readonly string[]): DeploymentRequest => {
  const { values, passedOn } = parseOwnOptions(args, options, readCdkOptions())
  const { context, hotfix, profile } = values
  const stage = context.findLast((setting) => setting.startsWith('stage='))?.slice('stage='.length)
  return {
    stage: stage ?? 'dev',
    hotfix,
    profile,
    cdkArgs: [...context.flatMap((setting) => ['-c', setting]), ...passedOn],
  }
}
