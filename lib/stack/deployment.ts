import { parseArgs } from 'node:util'
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation'
import { ROLLBACK_ALARM } from './outputs.ts'

const MONITORING_MINUTES = 10

/** Returns a stack; undefined if there is none. Throws what CloudFormation says otherwise. */
const described = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }))
    return Stacks?.[0]
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined
    throw error
  }
}

/**
 * Returns the arguments of `cdk` for a deployment. CloudFormation keeps the triggers of an update for all later ones, so a
 * hotfix removes them. A stack that was never created completely has no outputs, and thus no alarm yet.
 */
export const deployArguments = async (args: readonly string[]): Promise<string[]> => {
  const options = {
    hotfix: { type: 'boolean' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: [...args], options, strict: false })
  const { hotfix, context = [], profile } = values
  const stage = context.flatMap((each) => /^stage=(.*)$/.exec(String(each))?.[1] ?? []).at(-1) ?? 'dev'
  const own = ['deploy', ...args.filter((each) => each !== '--hotfix')]
  if (hotfix) return [...own, '--rollback-trigger-alarm-arns', 'none']
  const client = new CloudFormationClient(typeof profile === 'string' ? { profile } : {})
  const stack = await described(client, `billing-${stage}`)
  const alarm = stack?.Outputs?.find(({ OutputKey }) => OutputKey === ROLLBACK_ALARM)?.OutputValue
  if (!alarm) return own
  return [
    ...own,
    ...['--rollback-trigger-alarm-arns', alarm],
    ...['--monitoring-time-minutes', String(MONITORING_MINUTES)],
  ]
}
