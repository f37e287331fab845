import { Duration, Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/store/budget.ts'
import { type ApiFunction, constructName } from '../stack/api-function.ts'
import { latencyP99, serverErrorRate, systemErrors, tableParts, throttlesOf } from './metrics.ts'

/** What is watched, and who is told. */
export interface AlarmsProps {
  readonly api: RestApi
  readonly functions: readonly ApiFunction[]
  readonly table: ITable
  readonly authFailures: IMetric
  readonly topic: ITopic
}

interface Watch {
  /** What follows the stack's name in the alarm's, and by which docs/operating.md explains it. */
  readonly name: string
  readonly metric: IMetric
  /** It rings at this value and above, */
  readonly threshold: number
  /** when reached in so many of the last five periods, or in one when not given. */
  readonly of5?: number
  readonly description: string
}

const PERIOD = Duration.minutes(5)
const MOST_5XX_PERCENT = 1
const SLOW_MILLIS = 1_000
const MANY_AUTH_FAILURES = 100

const transactions = ['TransactWriteItems']
const singles = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem']

/** Every alarm of a stack; each one tells the topic when it rings and when it is over. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  /** Those of which one takes a release back. */
  readonly serverErrors: Alarm
  private readonly errorsOf = new Map<ApiFunction, Alarm>()
  private readonly topic: ITopic

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    this.topic = props.topic
    this.serverErrors = this.watchApi(props)
    this.watchTable(props.table)
    for (const each of props.functions) this.watchFunction(each)
  }

  /** The alarms that take back a release of a function: its own errors, and the API's. */
  forRelease(of: ApiFunction): Alarm[] {
    return [this.errorsOf.get(of) as Alarm, this.serverErrors]
  }

  private watchApi({ api, authFailures }: AlarmsProps): Alarm {
    this.add('P99Latency', {
      name: 'p99-latency',
      metric: latencyP99(api),
      threshold: SLOW_MILLIS,
      of5: 3,
      description: `One request in a hundred takes ${SLOW_MILLIS} ms or more.`,
    })
    this.add('AuthFailures', {
      name: 'auth-failures',
      metric: authFailures,
      threshold: MANY_AUTH_FAILURES,
      description: `${MANY_AUTH_FAILURES} or more requests in five minutes had no valid credentials.`,
    })
    return this.add('ServerErrors', {
      name: '5xx-rate',
      metric: serverErrorRate(api),
      threshold: MOST_5XX_PERCENT,
      description: `${MOST_5XX_PERCENT} % or more of the requests were answered with 5xx.`,
    })
  }

  private watchTable(table: ITable): void {
    for (const part of tableParts)
      this.add(`Throttles-${part.name}`, {
        name: `dynamodb-throttles-${part.name}`,
        metric: throttlesOf(table, part),
        threshold: 1,
        description: `DynamoDB throttled reads or writes (${part.name}).`,
      })
    this.add('SystemErrors', {
      name: 'dynamodb-system-errors',
      metric: systemErrors(table, [...singles, ...transactions]),
      threshold: 1,
      of5: 2,
      description: 'DynamoDB itself failed.',
    })
  }

  private watchFunction(each: ApiFunction): void {
    const { served, function: lambda } = each
    const at = constructName(served)
    const errors = this.add(`${at}Errors`, {
      name: `function-errors ${served.id}`,
      metric: lambda.metricErrors({ period: PERIOD, statistic: Stats.SUM }),
      threshold: 1,
      description: `The function of ${served.id} crashed or timed out.`,
    })
    this.errorsOf.set(each, errors)
    this.add(`${at}Throttles`, {
      name: `function-throttles ${served.id}`,
      metric: lambda.metricThrottles({ period: PERIOD, statistic: Stats.SUM }),
      threshold: 1,
      description: `Lambda had no room for more of ${served.id} at once.`,
    })
    this.add(`${at}Slow`, {
      name: `function-near-timeout ${served.id}`,
      metric: lambda.metricDuration({ period: PERIOD, statistic: Stats.MAXIMUM }),
      threshold: FUNCTION_TIMEOUT_MILLIS * 0.8,
      description: `A request of ${served.id} took more than 80 % of the function's timeout.`,
    })
  }

  private add(id: string, { name, metric, threshold, of5, description }: Watch): Alarm {
    const alarm = new Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName} ${name}`,
      alarmDescription: `${description} See "${name.split(' ')[0]}" in docs/operating.md.`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: of5 ? 5 : 1,
      datapointsToAlarm: of5 ?? 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    const tell = new SnsAction(this.topic)
    alarm.addAlarmAction(tell)
    alarm.addOkAction(tell)
    this.all.push(alarm)
    return alarm
  }
}
