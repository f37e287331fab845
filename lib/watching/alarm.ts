import { Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'

/** When an alarm rings. */
export interface Watch {
  /** What follows the stack's name in the alarm's; docs/operating.md explains it by its first word. */
  readonly name: string
  readonly metric: IMetric
  /** It rings at this value and above, */
  readonly threshold: number
  /** reached in so many of the last so many periods. */
  readonly periods: readonly [breaching: number, of: number]
  readonly description: string
}

/** The name of an alarm in the account, and its description, which points to the operator's guide. */
export const labelled = (scope: Construct, { name, description }: Pick<Watch, 'name' | 'description'>) => ({
  alarmName: `${Stack.of(scope).stackName} ${name}`,
  alarmDescription: `${description} See "${name.split(' ')[0]}" in docs/operating.md.`,
})

/** An alarm that stays quiet for want of data, and tells nobody by itself. */
export const createAlarm = (scope: Construct, id: string, watch: Watch): Alarm => {
  const { metric, threshold, periods } = watch
  const [datapointsToAlarm, evaluationPeriods] = periods
  return new Alarm(scope, id, {
    ...labelled(scope, watch),
    ...{ metric, threshold, datapointsToAlarm, evaluationPeriods },
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
}
