import { Duration, Stack } from 'aws-cdk-lib'
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { errorKinds } from '../../shared/errors.ts'
import type { accessLogFields } from '../gateway/access-log.ts'

const STATUS: keyof typeof accessLogFields = 'status'

/** Counts the requests whose credentials were refused, from the access log. */
export class AuthFailures extends Construct {
  readonly metric: Metric

  constructor(scope: Construct, id: string, { accessLog }: { readonly accessLog: ILogGroup }) {
    super(scope, id)
    const filter = new MetricFilter(this, 'Filter', {
      logGroup: accessLog,
      filterPattern: FilterPattern.stringValue(`$.${STATUS}`, '=', String(errorKinds.unauthorized.status)),
      metricNamespace: Stack.of(this).stackName,
      metricName: 'AuthFailures',
      metricValue: '1',
    })
    this.metric = filter.metric({
      statistic: Stats.SUM,
      period: Duration.minutes(5),
      label: 'refused credentials',
    })
  }
}
