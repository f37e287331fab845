import { Stack } from 'aws-cdk-lib'
import { ResponseType } from 'aws-cdk-lib/aws-apigateway'
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { errorKinds } from '../../shared/errors.ts'
import type { accessLogFields } from '../gateway/access-log.ts'

const field = (name: keyof typeof accessLogFields): string => `$.${name}`
const fieldIs = (name: keyof typeof accessLogFields, value: string) =>
  FilterPattern.stringValue(field(name), '=', value)
const fieldIsNot = (name: keyof typeof accessLogFields, value: string) =>
  FilterPattern.stringValue(field(name), '!=', value)

const { internal, too_many_requests, unavailable } = errorKinds
/** The service failed: 500, and 503 if a function crashed. No other 503 is counted. */
export const failureStatuses = [internal.status, unavailable.status] as const

/** Lambda returns 200 for a function that crashed or timed out, unlike for one that it did not start. */
const isCrash = FilterPattern.all(
  fieldIs('error', ResponseType.INTEGRATION_FAILURE.responseType),
  fieldIs('lambda_status', '200'),
)

/**
 * Matches every response except a 429 that a function returned. A function returns 429 if too many requests
 * update one entity at once. Its client must change that, and the operator cannot.
 */
const isNotTooManyUpdates = FilterPattern.any(
  fieldIsNot('status', String(too_many_requests.status)),
  fieldIs('error', ResponseType.THROTTLED.responseType),
)

/**
 * Counts responses by status in the access log: every 4xx that is not the firewall's, except a 429 for too
 * many updates of one entity, and the service's own failures (`failureStatuses`).
 */
export class ResponseCounts extends Construct {
  private readonly filter: MetricFilter

  constructor(scope: Construct, id: string, { accessLog }: { readonly accessLog: ILogGroup }) {
    super(scope, id)
    this.filter = new MetricFilter(this, 'Filter', {
      logGroup: accessLog,
      filterPattern: FilterPattern.all(
        FilterPattern.any(fieldIs('status', '4*'), fieldIs('status', String(internal.status)), isCrash),
        fieldIsNot('error', ResponseType.WAF_FILTERED.responseType),
        isNotTooManyUpdates,
      ),
      metricNamespace: Stack.of(this).stackName,
      metricName: 'Responses',
      metricValue: '1',
      dimensions: { Status: field('status') },
    })
  }

  /** Counts in periods of five minutes. */
  counted(status: number): Metric {
    return this.filter.metric({
      statistic: Stats.SUM,
      label: `responses ${status}`,
      dimensionsMap: { Status: String(status) },
    })
  }
}
