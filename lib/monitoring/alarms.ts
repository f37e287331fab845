import { Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import {
  failedExecutions,
  firewallBlocks,
  internalErrors,
  lambdaThrottles,
  latencyP99,
  mostCommonRefusal,
  rateLimited,
  serverErrorRate,
  serverErrorRateOfFew,
  tableParts,
  throttlesOf,
  writesWithoutEvents,
} from './metrics.ts'
import type { Responses } from './response-counts.ts'

/** The properties of the alarms: the constructs they watch, and the topic they publish to. */
interface AlarmsProps {
  readonly api: RestApi
  readonly responses: Responses
  readonly table: ITable
  /** Whether there is a firewall. */
  readonly firewall: boolean
  /** The name of the pipe of events, if there is one. */
  readonly pipe: string | undefined
  readonly topic: ITopic
}

/** The definition of an alarm. */
interface AlarmDefinition {
  /** The name after the stack's name, under which docs/operating.md explains the alarm. */
  readonly name: string
  readonly metric: IMetric
  /** A period breaches at this value or above. */
  readonly threshold: number
  /** The alarm goes off if `breaching` of the last `of` periods of five minutes breach. */
  readonly periods: { readonly breaching: number; readonly of: number }
  readonly description: string
}

const MAX_5XX_PERCENT = 1
const MAX_5XX_PERCENT_OF_FEW = 50
const SLOW_MILLIS = 1_000
const MANY_AUTH_FAILURES = 100
const MANY_OF_A_KIND_PERCENT = 20
const MANY_RATE_LIMITED = 300
const MANY_BLOCKED = 100
const MANY_THROTTLES = 10

const AT_ONCE = { breaching: 1, of: 1 }
const REPEATED = { breaching: 2, of: 3 }
const LASTING = { breaching: 3, of: 5 }
// An event often follows its write in the next period, and commands of the operator write without events.
const SELDOM = { breaching: 3, of: 12 }

/** The alarms, which publish to the topic when they go off and when they recover. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  /** The alarm that also rolls back deployments. */
  readonly serverErrors: Alarm
  private readonly action: SnsAction

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    this.action = new SnsAction(props.topic)
    this.serverErrors = this.watchFailures(props)
    this.watchClients(props)
    this.watchLimits(props)
    if (props.pipe) this.watchEvents(props.table, props.pipe)
  }

  private watchFailures({ api, responses }: AlarmsProps): Alarm {
    const serverErrors = this.add('ServerErrors', {
      name: '5xx-rate',
      metric: serverErrorRate(api),
      threshold: MAX_5XX_PERCENT,
      periods: AT_ONCE,
      description: `${MAX_5XX_PERCENT} % or more of the requests ended with 5xx.`,
    })
    this.add('ServerErrorsOfFew', {
      name: '5xx-rate-of-few',
      metric: serverErrorRateOfFew(api),
      threshold: MAX_5XX_PERCENT_OF_FEW,
      periods: LASTING,
      description: `${MAX_5XX_PERCENT_OF_FEW} % or more of a few requests ended with 5xx, in three of five periods.`,
    })
    this.add('InternalErrors', {
      name: 'internal-errors',
      metric: internalErrors(responses),
      threshold: 1,
      periods: AT_ONCE,
      description: 'A request ended with 500 or 502. None ever should.',
    })
    this.add('P99Latency', {
      name: 'p99-latency',
      metric: latencyP99(api),
      threshold: SLOW_MILLIS,
      periods: LASTING,
      description: `One request in a hundred takes ${SLOW_MILLIS} ms or more.`,
    })
    return serverErrors
  }

  private watchClients({ api, responses, firewall }: AlarmsProps): void {
    this.add('AuthFailures', {
      name: 'auth-failures',
      metric: responses.counted(401),
      threshold: MANY_AUTH_FAILURES,
      periods: AT_ONCE,
      description: `${MANY_AUTH_FAILURES} or more requests in five minutes had no valid credentials.`,
    })
    this.add('ClientErrors', {
      name: 'client-errors',
      metric: mostCommonRefusal(api, responses),
      threshold: MANY_OF_A_KIND_PERCENT,
      periods: LASTING,
      description: `${MANY_OF_A_KIND_PERCENT} % or more of the requests got the same 4xx status.`,
    })
    this.add('RateLimited', {
      name: 'rate-limited',
      metric: rateLimited(this, responses, firewall),
      threshold: MANY_RATE_LIMITED,
      periods: REPEATED,
      description: `${MANY_RATE_LIMITED} or more requests in five minutes exceeded a rate limit, in two of three periods.`,
    })
    if (firewall)
      this.add('FirewallBlocks', {
        name: 'firewall-blocks',
        metric: firewallBlocks(this),
        threshold: MANY_BLOCKED,
        periods: REPEATED,
        description: `The firewall blocked ${MANY_BLOCKED} or more requests in five minutes as attacks, in two of three periods.`,
      })
  }

  private watchLimits({ table }: AlarmsProps): void {
    this.add('LambdaThrottles', {
      name: 'lambda-throttles',
      metric: lambdaThrottles(),
      threshold: MANY_THROTTLES,
      periods: REPEATED,
      description: 'Lambda throttled functions of this account and region in two of three periods.',
    })
    this.add('TableThrottles', {
      name: 'dynamodb-throttles',
      metric: throttlesOf(table, 'throttled', tableParts),
      threshold: MANY_THROTTLES,
      periods: REPEATED,
      description:
        'DynamoDB throttled the table or an index in two of three periods. One list may need more shards: apps scale.',
    })
  }

  private watchEvents(table: ITable, pipe: string): void {
    this.add('EventFailures', {
      name: 'event-failures',
      metric: failedExecutions(pipe),
      threshold: 1,
      periods: REPEATED,
      description: 'The pipe of events could not put events on the bus in two of three periods.',
    })
    this.add('EventsMissing', {
      name: 'events-missing',
      metric: writesWithoutEvents(table, pipe),
      threshold: 1,
      periods: SELDOM,
      description:
        'The table was written to in three periods of an hour, and the pipe of events did not run.',
    })
  }

  /** Adds an alarm, which does not go off while data is missing. */
  private add(id: string, { name, metric, threshold, periods, description }: AlarmDefinition): Alarm {
    const alarm = new Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName} ${name}`,
      alarmDescription: `${description} See "${name}" in docs/operating.md.`,
      metric,
      threshold,
      datapointsToAlarm: periods.breaching,
      evaluationPeriods: periods.of,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(this.action)
    alarm.addOkAction(this.action)
    this.all.push(alarm)
    return alarm
  }
}
