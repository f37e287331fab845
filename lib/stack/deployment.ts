import {
  CloudFormationClient,
  DescribeStacksCommand,
  SetStackPolicyCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation'
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { stageSettings } from '../stages.ts'
import { accountDifferences } from './account-check.ts'
import { type Caller, environmentOf, findCaller, type Terminal } from './caller.ts'
import { eventsStep } from './events-step.ts'
import { ROLLBACK_ALARM, TABLE_NAME } from './outputs.ts'
import { type Difference, differencesOf, missingIndexes } from './table-check.ts'

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

/** Undefined if there is no stack. One that was never created completely has neither an alarm nor a table. */
const findStack = async (caller: Caller, StackName: string) => {
  try {
    const { Stacks } = await new CloudFormationClient(caller).send(new DescribeStacksCommand({ StackName }))
    const [{ StackId, Outputs = [] }] = Stacks as [Stack]
    const output = (name: string) => Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue
    return {
      account: StackId?.split(':')[4],
      outputs: Outputs.map(({ OutputKey = '' }) => OutputKey),
      alarm: output(ROLLBACK_ALARM),
      ownTable: output(TABLE_NAME)?.replace(/-restored-\d+$/, ''),
    }
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined
    throw error
  }
}

const rollbackBy = (alarm: string, minutes: number): readonly string[] => [
  '--rollback-trigger-alarm-arns',
  alarm,
  '--monitoring-time-minutes',
  String(minutes),
]

/** The options that remove the alarm and the time that the previous update has set. */
const withoutRollback = rollbackBy('none', 0)

/** Parts of the notes for the operator. */
const PROTECTION_NOTE = 'no update can replace or delete the table'
const RESTORED_TABLE_NOTE =
  'The restored table in use keeps its ceilings and indexes; without --hotfix, this prints what changes them.'

const describeTable = async (caller: Caller, TableName: string): Promise<TableDescription> => {
  const { Table } = await new DynamoDBClient(caller).send(new DescribeTableCommand({ TableName }))
  return Table as TableDescription
}

const isRecoverable = async (caller: Caller, TableName: string): Promise<boolean> => {
  const command = new DescribeContinuousBackupsCommand({ TableName })
  const { ContinuousBackupsDescription } = await new DynamoDBClient(caller).send(command)
  const { PointInTimeRecoveryStatus } = ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {}
  return PointInTimeRecoveryStatus === 'ENABLED'
}

/**
 * Options for the CDK and a note for the operator. Protects the table of a stage that keeps data.
 * CloudFormation adds an index to the stack's own table, but cannot undo that until DynamoDB has filled the
 * index, so no alarm may roll such an update back.
 */
const guardOf = async (
  caller: Caller,
  stack: Awaited<ReturnType<typeof findStack>>,
  {
    StackName,
    kept,
    hotfix,
  }: { readonly StackName: string; readonly kept: boolean; readonly hotfix: boolean },
): Promise<{ readonly options: readonly string[]; readonly note: string }> => {
  if (!stack) return { options: [], note: 'no such stack, so this is its first deployment' }
  const { alarm, ownTable } = stack
  if (!alarm || !ownTable) return { options: [], note: 'not guarded, since it was never created completely' }
  if (!kept) return { options: withoutRollback, note: 'not guarded, since this stage keeps no data' }
  const StackPolicyBody = JSON.stringify(stackPolicy)
  await new CloudFormationClient(caller).send(new SetStackPolicyCommand({ StackName, StackPolicyBody }))
  if (hotfix)
    return { options: withoutRollback, note: `${PROTECTION_NOTE}; --hotfix: no alarm rolls the update back` }
  const added = missingIndexes(await describeTable(caller, ownTable))
  if (added.length > 0) {
    const why = `its own table does not have the index ${added.join(', ')} yet`
    return {
      options: withoutRollback,
      note: `${PROTECTION_NOTE}; no alarm rolls the update back, since ${why}`,
    }
  }
  return {
    options: rollbackBy(alarm, MONITORING_MINUTES),
    note: `${PROTECTION_NOTE}; 5xx-rate rolls the update back, until ${MONITORING_MINUTES} minutes after it`,
  }
}

/** A deployment that an operator asks for. */
export interface DeploymentRequest {
  readonly stage: string
  /** Deploys without the alarm, and without checking a restored table. */
  readonly hotfix: boolean
  /** The AWS profile, if one is named. */
  readonly profile: string | undefined
  /** The arguments of `cdk deploy`, among them the stage. */
  readonly cdkArgs: readonly string[]
}

/** What prevents a deployment. */
export interface Obstacle {
  readonly subject: string
  readonly differences: readonly Difference[]
}

/**
 * Prepares a deployment. If the stage keeps data, protects the table of an existing stack and, except for a
 * hotfix, lets the alarm `5xx-rate` roll back the update. Returns
 *
 * - `args` and `env`, the arguments and the environment of `cdk`
 * - `notes` for the operator, among them one if the deployment turns events on or off
 * - `obstacle`: how the account of a first deployment, or a restored table, which CloudFormation never
 *   changes, differs from what the code and the stage need. The caller must not deploy before this is
 *   settled. A hotfix is prepared without comparing the tables.
 *
 * Throws Error if the deployment would skip a step of turning events on or off.
 */
export const prepareDeployment = async (
  { stage, hotfix, profile, cdkArgs }: DeploymentRequest,
  terminal: Terminal,
) => {
  const settings = stageSettings(stage)
  const caller = await findCaller(profile, terminal)
  const StackName = `billing-${stage}`
  const stack = await findStack(caller, StackName)
  const hint = eventsStep(stack?.outputs ?? [], settings.events)
  const { kept, restored } = settings.table
  const { options, note } = await guardOf(caller, stack, { StackName, kept, hotfix })
  const { region } = caller
  const { account, ownTable } = stack ?? {}
  let obstacle: Obstacle | undefined
  if (!ownTable) {
    const differences = await accountDifferences(caller, settings)
    obstacle = { subject: `the account in ${region}`, differences }
  } else if (restored && !hotfix) {
    const name = `${ownTable}-restored-${restored}`
    const table = await describeTable(caller, name)
    const recoverable = await isRecoverable(caller, name)
    const differences = differencesOf({ table, recoverable, region }, settings)
    obstacle = { subject: 'the table in use', differences }
  }
  const target = account ? `${region}, account ${account}` : region
  const notes = [`${StackName} in ${target}: ${note}`]
  if (hint) notes.push(hint)
  if (hotfix && restored) notes.push(RESTORED_TABLE_NOTE)
  return {
    args: ['deploy', ...cdkArgs, ...options],
    env: environmentOf(terminal, caller, profile),
    notes,
    ...(obstacle?.differences.length ? { obstacle } : {}),
  }
}
