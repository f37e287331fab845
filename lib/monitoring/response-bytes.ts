import { Stack } from 'aws-cdk-lib'
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { RequestLog } from '../../shared/log.ts'

const BYTES: keyof RequestLog = 'bytes'
const METRIC = 'ResponseBytes'

/** Adds up bytes of responses from the functions' logs: the access log has no numbers and no application. */
export class ResponseBytes extends Construct {
  constructor(scope: Construct, id: string, { logs }: { readonly logs: readonly ILogGroup[] }) {
    super(scope, id)
    for (const [index, logGroup] of logs.entries())
      new MetricFilter(this, `Filter${index}`, {
        logGroup,
        filterPattern: FilterPattern.numberValue(`$.${BYTES}`, '>=', 0),
        metricNamespace: Stack.of(this).stackName,
        metricName: METRIC,
        metricValue: `$.${BYTES}`,
      })
  }

  /** Sums up periods of five minutes. */
  sum(): Metric {
    return new Metric({
      namespace: Stack.of(this).stackName,
      metricName: METRIC,
      statistic: Stats.SUM,
      label: 'bytes of responses',
    })
  }
}
