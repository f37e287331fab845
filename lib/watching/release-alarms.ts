import { Duration, Stack } from 'aws-cdk-lib'
import { type Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Alias } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { RequestLog } from '../../shared/log.ts'
import { type ApiFunction, constructName } from '../functions/api-function.ts'
import { createAlarm } from './alarm.ts'

const MINUTE = Duration.minutes(1)
/** The alarm requires that at least one in this many requests of a minute fails. */
const ONE_IN = 20
/** A single failed request is not a failed release: two of the last five minutes must breach. */
const PERIODS = [2, 5] as const

const field = (name: keyof RequestLog): string => `$.${name}`

/**
 * One alarm for each function that has an alias, which watches only the version that the stack deploys. It counts the
 * requests answered with 5xx, from the function's log, and those that crashed or timed out, which leave no log line. So a
 * new version is judged by the tenth of the requests that it gets, and failures of the previous version do not count.
 */
export class ReleaseAlarms extends Construct {
  readonly byFunction: ReadonlyMap<ApiFunction, Alarm>

  constructor(scope: Construct, id: string, { functions }: { readonly functions: readonly ApiFunction[] }) {
    super(scope, id)
    this.byFunction = new Map(
      functions.flatMap((each) => (each.alias ? [[each, this.watch(each, each.alias)] as const] : [])),
    )
  }

  private watch(each: ApiFunction, alias: Alias): Alarm {
    const name = constructName(each.served)
    const failed = new MathExpression({
      expression: 'FILL(answered, 0) + FILL(crashed, 0)',
      usingMetrics: { answered: this.answered(each, alias), crashed: ofVersion(alias, 'Errors') },
      period: MINUTE,
    })
    return createAlarm(this, name, {
      name: `release-failures ${each.served.id}`,
      metric: new MathExpression({
        label: 'failed requests of the version',
        expression: `IF(FILL(requests, 0) > ${ONE_IN} * failed, 0, failed)`,
        usingMetrics: { failed, requests: ofVersion(alias, 'Invocations') },
        period: MINUTE,
      }),
      threshold: 1,
      periods: PERIODS,
      description: `${100 / ONE_IN} % or more of a minute's requests failed on the deployed version of ${each.served.id}.`,
    })
  }

  /** Returns the requests that a version answered with 5xx. Handlers catch their errors, so Lambda's own metric does not count them. */
  private answered({ served, logs }: ApiFunction, { version }: Alias): Metric {
    const filter = new MetricFilter(this, `${constructName(served)}Failures`, {
      logGroup: logs,
      filterPattern: FilterPattern.numberValue(field('status'), '>=', 500),
      metricNamespace: Stack.of(this).stackName,
      metricName: 'FailuresByVersion',
      metricValue: '1',
      dimensions: { Route: field('route'), Version: field('version') },
    })
    return filter.metric({
      statistic: Stats.SUM,
      period: MINUTE,
      dimensionsMap: { Route: served.id, Version: version.version },
    })
  }
}

/** Returns a metric of Lambda for the version that an alias points at, counting the requests through the alias. */
const ofVersion = ({ lambda, aliasName, version }: Alias, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    statistic: Stats.SUM,
    period: MINUTE,
    dimensionsMap: {
      FunctionName: lambda.functionName,
      Resource: `${lambda.functionName}:${aliasName}`,
      ExecutedVersion: version.version,
    },
  })
