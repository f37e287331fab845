import { Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import type { ApiFunction } from '../functions/api-function.ts'
import {
  consumedBy,
  latencyP99,
  routeMetric,
  serverErrorRate,
  systemErrors,
  tableParts,
  throttlesOf,
} from './metrics.ts'
import type { ResponseCounts } from './response-counts.ts'

interface BillingDashboardProps {
  readonly api: RestApi
  readonly functions: readonly ApiFunction[]
  readonly table: ITable
  readonly responses: ResponseCounts
  readonly alarms: readonly IAlarm[]
}

const graph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left: [...left], right: [...right], width: 8, height: 6 })

const heading = (text: string): TextWidget => new TextWidget({ markdown: `## ${text}`, width: 24, height: 1 })

export class BillingDashboard extends Construct {
  readonly name: string

  constructor(scope: Construct, id: string, props: BillingDashboardProps) {
    super(scope, id)
    const { stackName, region } = Stack.of(this)
    // Dashboard names are unique in an account across regions.
    this.name = `${stackName}-${region}`
    new Dashboard(this, 'Dashboard', {
      dashboardName: this.name,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms], width: 24, height: 6 })],
        [heading('Requests')],
        this.requests(props),
        [heading('Routes')],
        this.routes(props),
        [heading('Functions')],
        this.lambdas(props),
        [heading('Table')],
        this.tables(props),
      ],
    })
  }

  get url(): string {
    const { region } = Stack.of(this)
    return `https://console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${this.name}`
  }

  private requests({ api, responses }: BillingDashboardProps): IWidget[] {
    const latency = ['p50', 'p90'].map((statistic) =>
      api.metricLatency({ statistic, label: `${statistic}, ms` }),
    )
    return [
      graph(
        'Requests and refusals',
        [api.metricCount({ label: 'requests', statistic: Stats.SUM })],
        [api.metricClientError({ label: '4xx' }), responses.counted(401), responses.counted(429)],
      ),
      graph('Failures', [serverErrorRate(api)], [api.metricServerError({ label: '5xx' })]),
      graph('Latency at the gateway', [...latency, latencyP99(api)]),
    ]
  }

  private routes({ api, functions }: BillingDashboardProps): IWidget[] {
    const metricByRoute = (metricName: string, statistic: string) =>
      functions.map(({ deployable }) => routeMetric(api, deployable, metricName, statistic))
    return [
      graph('Requests by route', metricByRoute('Count', Stats.SUM)),
      graph('p90 by route, ms', metricByRoute('Latency', 'p90')),
      graph('5xx by route', metricByRoute('5XXError', Stats.SUM)),
    ]
  }

  private lambdas({ functions }: BillingDashboardProps): IWidget[] {
    const metricByFunction = (metricName: string, statistic: string) =>
      functions.map(({ function: lambda, deployable }) =>
        lambda.metric(metricName, { statistic, label: deployable.id }),
      )
    return [
      graph('Longest run, ms', metricByFunction('Duration', Stats.MAXIMUM)),
      graph('Crashes and time-outs', metricByFunction('Errors', Stats.SUM)),
      graph('Throttles', metricByFunction('Throttles', Stats.SUM)),
    ]
  }

  private tables({ table }: BillingDashboardProps): IWidget[] {
    const consumed = (kind: 'Read' | 'Write') => tableParts.map((part) => consumedBy(table, part, kind))
    return [
      graph('Read units', consumed('Read')),
      graph('Write units', consumed('Write')),
      graph(
        'Throttles and failures of DynamoDB',
        tableParts.map((part) => throttlesOf(table, part.name, [part])),
        [systemErrors(table)],
      ),
    ]
  }
}
