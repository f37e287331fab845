import { Stack } from 'aws-cdk-lib'
import { ResponseType } from 'aws-cdk-lib/aws-apigateway'
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { errorKinds } from '../../shared/errors.ts'
import type { accessLogFields } from '../gateway/access-log.ts'

const field = (name: keyof typeof accessLogFields): string => `$.${name}`
/** The status of a function after an unexpected error, and of the gateway after a crash of a function. */
export const failureStatuses = [errorKinds.internal.status, 502] as const

const is = (status: string) => FilterPattern.stringValue(field('status'), '=', status)

/**
 * Counts responses by status in the access log: every 4xx that is not the firewall's, and our own failures
 * (`failureStatuses`).
 */
export class Responses extends Construct {
  private readonly filter: MetricFilter

  constructor(scope: Construct, id: string, { accessLog }: { readonly accessLog: ILogGroup }) {
    super(scope, id)
    this.filter = new MetricFilter(this, 'Filter', {
      logGroup: accessLog,
      filterPattern: FilterPattern.all(
        FilterPattern.any(is('4*'), ...failureStatuses.map((status) => is(String(status)))),
        FilterPattern.stringValue(field('error'), '!=', ResponseType.WAF_FILTERED.responseType),
      ),
      metricNamespace: Stack.of(this).stackName,
      metricName: 'Responses',
      metricValue: '1',
      dimensions: { Status: field('status') },
    })
  }

  /** Returns the metric of the responses with a status, in periods of five minutes. */
  counted(status: number): Metric {
    return this.filter.metric({
      statistic: Stats.SUM,
      label: `responses ${status}`,
      dimensionsMap: { Status: String(status) },
    })
  }
}
