import { parseArgs } from 'node:util'
import {
  CloudFormationClient,
  DescribeStacksCommand,
  SetStackPolicyCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation'
import { stageSettings, stages } from '../stages.ts'
import { eventsStep } from './events-step.ts'
import { ROLLBACK_ALARM } from './outputs.ts'

const MONITORING_MINUTES = 10

/** Prevents updates from replacing or deleting a table, which would lose its data. */
const stackPolicy = {
  Statement: [
    { Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' },
    {
      Effect: 'Deny',
      Action: ['Update:Replace', 'Update:Delete'],
      Principal: '*',
      Resource: '*',
      Condition: { StringEquals: { ResourceType: ['AWS::DynamoDB::Table'] } },
    },
  ],
}

/** Returns a stack; undefined if there is none. Throws other errors of CloudFormation. */
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
 * Prepares a deployment: protects the table of an existing stack, and returns the arguments for `cdk` with the alarm that
 * rolls back the update. CloudFormation keeps the alarms of an update for all later ones, so `--hotfix` removes them. A
 * stack that was never created completely has no outputs, and thus no alarm yet. Says on standard error what a step of
 * switching events on or off does. Throws Error if the deployment would skip one.
 */
export const prepareDeployment = async (args: readonly string[]): Promise<string[]> => {
  const options = {
    hotfix: { type: 'boolean' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: [...args], options, strict: false })
  const { hotfix, context = [], profile } = values
  const stage = context.flatMap((each) => /^stage=(.*)$/.exec(String(each))?.[1] ?? []).at(-1) ?? 'dev'
  const StackName = `billing-${stage}`
  const client = new CloudFormationClient(typeof profile === 'string' ? { profile } : {})
  const stack = await described(client, StackName)
  const outputs = stack?.Outputs?.map(({ OutputKey = '' }) => OutputKey) ?? []
  const hint = eventsStep(outputs, Object.hasOwn(stages, stage) ? stageSettings(stage).events : undefined)
  if (hint) console.error(hint)
  const alarm = stack?.Outputs?.find(({ OutputKey }) => OutputKey === ROLLBACK_ALARM)?.OutputValue
  const own = ['deploy', ...args.filter((each) => each !== '--hotfix')]
  if (!alarm) return own
  const StackPolicyBody = JSON.stringify(stackPolicy)
  await client.send(new SetStackPolicyCommand({ StackName, StackPolicyBody }))
  if (hotfix) return [...own, '--rollback-trigger-alarm-arns', 'none']
  return [
    ...own,
    '--rollback-trigger-alarm-arns',
    alarm,
    '--monitoring-time-minutes',
    String(MONITORING_MINUTES),
  ]
}
