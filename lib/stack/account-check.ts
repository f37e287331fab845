import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway'
import { CloudWatchLogsClient, DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { deployables } from '../../shared/catalogue.ts'
import { reservedFor } from '../functions/api-function.ts'
import type { StageSettings } from '../stages.ts'
import type { Caller } from './caller.ts'
import type { Difference } from './table-check.ts'

/** Lambda keeps this much of the quota unreserved, or all of a smaller quota. */
const MIN_UNRESERVED = 100

/** CloudWatch Logs accepts no more for an account and region, and raises this quota for nobody. */
const MAX_RESOURCE_POLICIES = 10

const concurrencyDifferences = async (
  caller: Caller,
  { functions }: Pick<StageSettings, 'functions'>,
): Promise<Difference[]> => {
  const { provisioned = 0 } = functions
  const needs = deployables.map((deployable) => reservedFor(deployable, functions) ?? provisioned)
  const needed = needs.reduce((sum, need) => sum + need, 0)
  if (needed === 0) return []
  const { AccountLimit } = await new LambdaClient(caller).send(new GetAccountSettingsCommand({}))
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
    AccountLimit ?? {}
  const available = Math.max(0, unreserved - MIN_UNRESERVED)
  if (needed <= available) return []
  const names = (['reserved', 'reservedForUpdates', 'provisioned'] as const).filter((name) => functions[name])
  const sufficient = quota - unreserved + needed + MIN_UNRESERVED
  return [
    [
      `has a quota of ${quota} concurrent executions of Lambda, of which ${available} can still be reserved; the stage needs ${needed}. Request a quota of ${sufficient}, which can take days, or lower or remove ${names.join(', ')} of the stage in lib/stages.ts until you have it`,
      `aws service-quotas request-service-quota-increase --region ${caller.region} --service-code lambda --quota-code L-B99A9384 --desired-value ${sufficient} --no-cli-pager`,
    ],
  ]
}

const logRoleDifferences = async (caller: Caller, settings: StageSettings): Promise<Difference[]> => {
  if (settings.gatewayLogRole) return []
  const { cloudwatchRoleArn } = await new APIGatewayClient(caller).send(new GetAccountCommand({}))
  if (cloudwatchRoleArn) return []
  return [
    [
      'has no role with which API Gateway logs in this region. First deploy a stage that sets it, such as dev, or set gatewayLogRole of this stage in lib/stages.ts to true',
    ],
  ]
}

const logPolicyDifferences = async (
  caller: Caller,
  { firewall }: Pick<StageSettings, 'firewall'>,
): Promise<Difference[]> => {
  if (firewall === false || !firewall.log) return []
  const command = new DescribeResourcePoliciesCommand({ limit: MAX_RESOURCE_POLICIES })
  const { resourcePolicies = [] } = await new CloudWatchLogsClient(caller).send(command)
  if (resourcePolicies.length < MAX_RESOURCE_POLICIES) return []
  return [
    [
      `has ${resourcePolicies.length} resource policies of CloudWatch Logs in this region, the most possible, and firewall.log needs another. Delete one that nothing uses, which "aws logs describe-resource-policies --region ${caller.region}" shows, or set firewall.log of the stage in lib/stages.ts to false`,
    ],
  ]
}

/**
 * Returns what the account lacks for the first deployment of a stage, which would otherwise fail halfway and
 * leave a protected stack. Throws the errors of AWS if the caller may not read the account's settings.
 */
export const accountDifferences = async (caller: Caller, settings: StageSettings): Promise<Difference[]> => {
  const differences = await Promise.all([
    concurrencyDifferences(caller, settings),
    logRoleDifferences(caller, settings),
    logPolicyDifferences(caller, settings),
  ])
  return differences.flat()
}
