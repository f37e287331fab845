import { Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'
import {
  daysToExpiry,
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
import type { ResponseBytes } from './response-bytes.ts'
import type { ResponseCounts } from './response-counts.ts'

interface AlarmsProps {
  readonly api: RestApi
  readonly responses: ResponseCounts
  readonly bytes: ResponseBytes
  readonly table: ITable
  readonly firewall: boolean
  readonly pipe: string | undefined
  readonly domain: StageSettings['domain']
  readonly topic: ITopic
}

interface AlarmDefinition {
  /** The name after the stack's name, under which docs/operating.md explains the alarm. */
  readonly name: string
  readonly metric: IMetric
  /** A period breaches at this value or above. */
  readonly threshold: number
  /** The alarm fires if `breaching` of the last `evaluated` periods of five minutes breach. */
  readonly periods: { readonly breaching: number; readonly evaluated: number }
  /** A sentence for the email, which also contains the threshold. */
  readonly description: string
  readonly other?: Partial<AlarmProps>
}

const AT_ONCE = { breaching: 1, evaluated: 1 }
const REPEATED = { breaching: 2, evaluated: 3 }
const LASTING = { breaching: 3, evaluated: 5 }
// An event often follows its write in the next period, and the operator's commands write without events.
const WITHIN_AN_HOUR = { breaching: 3, evaluated: 12 }

/** They notify the topic when they fire and when they clear. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  /** Also rolls back deployments. */
  readonly serverErrors: Alarm
  private readonly action: SnsAction

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    this.action = new SnsAction(props.topic)
    this.serverErrors = this.watchFailures(props)
    this.watchClients(props)
    this.watchLimits(props)
    if (props.pipe) this.watchEvents(props.table, props.pipe)
    if (props.domain) this.watchCertificate(props.domain.certificateArn)
  }

  private watchFailures({ api, responses }: AlarmsProps): Alarm {
    const serverErrors = this.add('ServerErrors', {
      name: '5xx-rate',
      metric: serverErrorRate(api),
      threshold: 1,
      periods: AT_ONCE,
      description: 'Too many requests ended with 5xx.',
    })
    this.add('ServerErrorsOfFew', {
      name: '5xx-rate-of-few',
      metric: serverErrorRateOfFew(api),
      threshold: 50,
      periods: LASTING,
      description: 'There were few requests, and most of them ended with 5xx.',
    })
    this.add('InternalErrors', {
      name: 'internal-errors',
      metric: internalErrors(responses),
      threshold: 1,
      periods: AT_ONCE,
      description: 'A request ended with 500, or its function crashed. This should never happen.',
    })
    this.add('P99Latency', {
      name: 'p99-latency',
      metric: latencyP99(api),
      // In milliseconds. Updates of one customer that wait for each other take less.
      threshold: 2_000,
      periods: LASTING,
      description: 'One request in a hundred takes too long.',
    })
    return serverErrors
  }

  private watchClients({ api, responses, bytes, firewall }: AlarmsProps): void {
    this.add('AuthFailures', {
      name: 'auth-failures',
      metric: responses.counted(401),
      threshold: 100,
      periods: AT_ONCE,
      description: 'Many requests had no valid credentials.',
    })
    this.add('ClientErrors', {
      name: 'client-errors',
      metric: mostCommonRefusal(api, responses),
      threshold: 20,
      periods: LASTING,
      description: 'Many requests got the same 4xx status.',
    })
    this.add('RateLimited', {
      name: 'rate-limited',
      metric: rateLimited(this, responses, firewall),
      threshold: 300,
      periods: REPEATED,
      description: 'Many requests exceeded a rate limit.',
    })
    this.add('DataOut', {
      name: 'data-out',
      metric: bytes.sum(),
      // 11 dollars an hour. Pages of 100 invoices with everything, at the rate of one application, are 13 GB.
      threshold: 10e9,
      periods: AT_ONCE,
      description: 'Clients receive an unusual amount of data, which AWS charges for.',
    })
    if (firewall)
      this.add('FirewallBlocks', {
        name: 'firewall-blocks',
        metric: firewallBlocks(this),
        threshold: 100,
        periods: REPEATED,
        description: 'The firewall blocked many requests as attacks.',
      })
  }

  private watchLimits({ table }: AlarmsProps): void {
    this.add('LambdaThrottles', {
      name: 'lambda-throttles',
      metric: lambdaThrottles(),
      threshold: 10,
      periods: REPEATED,
      description: 'Lambda throttled functions of this account and region.',
    })
    this.add('TableThrottles', {
      name: 'dynamodb-throttles',
      metric: throttlesOf(table, 'throttled', tableParts),
      threshold: 10,
      periods: REPEATED,
      description: 'DynamoDB throttled the table or an index. One list may need more shards: apps scale.',
    })
  }

  private watchEvents(table: ITable, pipe: string): void {
    this.add('EventFailures', {
      name: 'event-failures',
      metric: failedExecutions(pipe),
      threshold: 1,
      periods: REPEATED,
      description: 'The event pipe could not put events on the bus.',
    })
    this.add('EventsMissing', {
      name: 'events-missing',
      metric: writesWithoutEvents(table, pipe),
      threshold: 1,
      periods: WITHIN_AN_HOUR,
      description: 'The table was written to, but the event pipe did not run.',
    })
  }

  private watchCertificate(certificateArn: string): void {
    this.add('CertificateExpiry', {
      name: 'certificate-expiry',
      metric: daysToExpiry(certificateArn),
      threshold: 21,
      periods: AT_ONCE,
      description: 'The certificate of the domain expires soon.',
      other: {
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        // ACM stops counting days once the certificate has expired.
        treatMissingData: TreatMissingData.IGNORE,
      },
    })
  }

  /** It does not fire while data is missing. */
  private add(id: string, definition: AlarmDefinition): Alarm {
    const { name, metric, threshold, periods, description, other } = definition
    const alarm = new Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName} ${name}`,
      alarmDescription: `${description} See "${name}" in docs/operating.md.`,
      metric,
      threshold,
      datapointsToAlarm: periods.breaching,
      evaluationPeriods: periods.evaluated,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...other,
    })
    alarm.addAlarmAction(this.action)
    alarm.addOkAction(this.action)
    this.all.push(alarm)
    return alarm
  }
}
