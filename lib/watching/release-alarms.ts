import { Duration, Stack } from 'aws-cdk-lib'
import { type Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Alias } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { RequestLog } from '../../shared/log.ts'
import { type ApiFunction, constructName } from '../functions/api-function.ts'
import { createAlarm } from './alarm.ts'

const MINUTE = Duration.minutes(1)
/** Of the version's requests in a minute, at least one in so many must fail. */
const ONE_IN = 20
/** One failed request is not a failing release: it takes two minutes of the last five. */
const PERIODS = [2, 5] as const

const field = (name: keyof RequestLog): string => `$.${name}`

/**
 * An alarm for each function that watches the version which the stack deploys, and no other: it counts the requests
 * answered with 5xx, from the function's log, and those that crashed or timed out, which leave no line there. So a new
 * version is judged by the tenth of the requests that it gets, and failures of the version before do not count.
 */
export class ReleaseAlarms extends Construct {
  private readonly alarms = new Map<ApiFunction, Alarm>()

  constructor(scope: Construct, id: string, { functions }: { readonly functions: readonly ApiFunction[] }) {
    super(scope, id)
    for (const each of functions) if (each.alias) this.alarms.set(each, this.watch(each, each.alias))
  }

  get all(): Alarm[] {
    return [...this.alarms.values()]
  }

  /** The alarm of a function that has an alias. */
  of(each: ApiFunction): Alarm {
    return this.alarms.get(each) as Alarm
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

  /** The requests that a version answered with 5xx; the function catches what it throws, so Lambda counts no error. */
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

/** One of Lambda's own measures of the version that an alias points at, of the requests through the alias. */
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
