import {
  CloudFormationClient,
  DescribeStacksCommand,
  SetStackPolicyCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation'
import { DescribeTableCommand, DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb'
import { type StageSettings, stageSettings } from '../stages.ts'
import { type Caller, environmentOf, findCaller, type Terminal } from './caller.ts'
import { deployOptions } from './deploy-options.ts'
import { eventsStep } from './events-step.ts'
import { ROLLBACK_ALARM, TABLE_NAME } from './outputs.ts'
import { changesByHand, missingIndexes } from './table-check.ts'

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

/** A deployment, ready to start. */
export interface Deployment {
  /** The arguments of `cdk`. */
  readonly args: string[]
  /** Its environment, with the region and the credentials that were used here. */
  readonly env: NodeJS.ProcessEnv
  /** What is deployed where, and how it is guarded. */
  readonly told: string[]
  /** The changes of the table in use without which this code must not be deployed, as lines for a shell. */
  readonly missing: string[]
}

/** How an update of a stack is guarded, with the options for the CDK. */
interface Guard {
  readonly options: readonly string[]
  readonly told: string
  readonly missing?: string[]
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

const watchedBy = (alarm: string): readonly string[] => [
  '--rollback-trigger-alarm-arns',
  alarm,
  '--monitoring-time-minutes',
  String(MONITORING_MINUTES),
]

/** CloudFormation keeps the alarms and the time of an update for all later ones, so they are removed. */
const unwatched = ['--rollback-trigger-alarm-arns', 'none', '--monitoring-time-minutes', '0']

const POLICY = 'no update can replace or delete the table'

/**
 * Compares the tables of a stack with what the code needs. CloudFormation adds an index to the stack's own table, but cannot
 * undo that until DynamoDB has filled the index, so no alarm may roll such an update back. It never changes a restored table.
 */
const guardFor = async (
  caller: Caller,
  { table }: StageSettings,
  { alarm, inUse }: Readonly<Record<'alarm' | 'inUse', string>>,
): Promise<Guard> => {
  const client = new DynamoDBClient(caller)
  const describe = async (TableName: string): Promise<TableDescription> =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table as TableDescription
  const own = inUse.replace(/-restored-\d+$/, '')
  const { region } = caller
  const missing = table.restored
    ? changesByHand({ table: await describe(`${own}-restored-${table.restored}`), region }, table)
    : []
  const added = missingIndexes(await describe(own))
  if (added.length === 0) {
    const told = `${POLICY}; 5xx-rate rolls the update back, until ${MONITORING_MINUTES} minutes after it`
    return { options: watchedBy(alarm), told, missing }
  }
  const told = `${POLICY}; no alarm rolls the update back, since its own table does not have the index ${added.join(', ')} yet`
  return { options: unwatched, told, missing }
}

/**
 * Prepares a deployment. If the stage keeps data, protects the table of an existing stack, compares the table in use with
 * what the code needs, and lets the alarm `5xx-rate` roll back the update; the last two not with `--hotfix`. Also tells what a
 * step of switching events on or off does. Throws Error if the deployment would skip one.
 */
export const prepareDeployment = async (args: readonly string[], terminal: Terminal): Promise<Deployment> => {
  const { hotfix, stage, others, profile } = deployOptions(args)
  const settings = stageSettings(stage)
  const caller = await findCaller(profile, terminal)
  const client = new CloudFormationClient(caller)
  const StackName = `billing-${stage}`
  const stack = await described(client, StackName)
  const outputs = new Map(stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
  const hint = eventsStep(
    [...outputs.keys()].map((name = '') => name),
    settings.events,
  )
  const guardOf = async (): Promise<Guard> => {
    if (!stack) return { options: [], told: 'no such stack, so this is its first deployment' }
    const [alarm, inUse] = [outputs.get(ROLLBACK_ALARM), outputs.get(TABLE_NAME)]
    if (!alarm || !inUse) return { options: [], told: 'not guarded, since it was never created completely' }
    if (!settings.table.kept)
      return { options: unwatched, told: 'not guarded, since this stage keeps no data' }
    const StackPolicyBody = JSON.stringify(stackPolicy)
    await client.send(new SetStackPolicyCommand({ StackName, StackPolicyBody }))
    if (hotfix) return { options: unwatched, told: `${POLICY}; --hotfix: no alarm rolls the update back` }
    return guardFor(caller, settings, { alarm, inUse })
  }
  const { options, told, missing = [] } = await guardOf()
  const account = stack?.StackId?.split(':')[4]
  const place = account ? `${caller.region}, account ${account}` : caller.region
  return {
    args: ['deploy', ...others, ...options],
    env: environmentOf(terminal, caller, profile),
    told: [`${StackName} in ${place}: ${told}`, ...(hint ? [hint] : [])],
    missing,
  }
}
