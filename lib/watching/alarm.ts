import { Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'

/** The definition of an alarm. */
export interface Watch {
  /** The name after the stack's name, under which docs/operating.md explains the alarm. */
  readonly name: string
  readonly metric: IMetric
  /** A period breaches at this value or above. */
  readonly threshold: number
  /** The alarm goes off if `breaching` of the last `of` periods breach. */
  readonly periods: readonly [breaching: number, of: number]
  readonly description: string
}

/** Creates an alarm without actions, which does not go off while data is missing. */
export const createAlarm = (scope: Construct, id: string, watch: Watch): Alarm => {
  const { name, metric, threshold, periods, description } = watch
  const [datapointsToAlarm, evaluationPeriods] = periods
  return new Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName} ${name}`,
    alarmDescription: `${description} See "${name}" in docs/operating.md.`,
    metric,
    threshold,
    datapointsToAlarm,
    evaluationPeriods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
}
