import { Duration, Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { errorKinds } from '../../shared/errors.ts'
import { table as definition } from '../../shared/store/table.ts'
import { rateRuleNames } from '../gateway/rate-rules.ts'
import { type Answers, faultStatuses } from './answers.ts'

/** The measures that alarms and dashboard share. */

const FIVE_MINUTES = Duration.minutes(5)

/** Fewer requests than these in a period say nothing about failures or a percentile, */
const FEW_REQUESTS = 20
/** or about what clients send. */
const SOME_REQUESTS = 100

/** The sum of metrics, of those that have data; ids are made from the label, since they must differ within a graph. */
const sumOf = (label: string, metrics: readonly IMetric[]): MathExpression => {
  const id = label.toLowerCase().replaceAll(/\W/g, '_')
  const ids = metrics.map((_, index) => `${id}_${index}`)
  return new MathExpression({
    label,
    expression: ids.map((each) => `FILL(${each}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [ids[index] as string, metric])),
    period: FIVE_MINUTES,
  })
}

/** The share of requests answered with 5xx, in percent; 0 while there are few. */
export const serverErrorRate = (api: RestApi): MathExpression =>
  new MathExpression({
    label: '5xx, % of requests',
    expression: `IF(requests >= ${FEW_REQUESTS}, 100 * errors / requests, 0)`,
    usingMetrics: {
      requests: api.metricCount({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      errors: api.metricServerError({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    },
    period: FIVE_MINUTES,
  })

/** The 99th percentile of a request's time at the gateway, in milliseconds; 0 while there are few. */
export const latencyP99 = (api: RestApi): MathExpression =>
  new MathExpression({
    label: 'p99, ms',
    expression: `IF(requests >= ${FEW_REQUESTS}, latency, 0)`,
    usingMetrics: {
      requests: api.metricCount({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      latency: api.metricLatency({ period: FIVE_MINUTES, statistic: 'p99' }),
    },
    period: FIVE_MINUTES,
  })

/** One of the gateway's measures of one route. */
export const ofRoute = (api: RestApi, served: Deployable, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    statistic,
    period: FIVE_MINUTES,
    label: served.id,
    dimensionsMap: {
      ApiName: api.restApiName,
      Stage: api.deploymentStage.stageName,
      Method: served.method,
      Resource: served.path,
    },
  })

const ofTable = (table: ITable, metricName: string, dimensions: Record<string, string> = {}): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
    dimensionsMap: { TableName: table.tableName, ...dimensions },
  })

/** The table itself and each of its indexes, by the name that people use. */
export const tableParts: readonly { readonly name: string; readonly dimensions: Record<string, string> }[] = [
  { name: 'table', dimensions: {} },
  ...definition.indexes.map(({ name }) => ({ name, dimensions: { GlobalSecondaryIndexName: name } })),
]

const throttlesOf = (table: ITable, { dimensions }: (typeof tableParts)[number]): Metric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => ofTable(table, name, dimensions))

/** Throttled reads and writes of the table or of one index. */
export const partThrottles = (table: ITable, part: (typeof tableParts)[number]): MathExpression =>
  sumOf(part.name, throttlesOf(table, part))

/** Throttled reads and writes of the table and all its indexes. */
export const tableThrottles = (table: ITable): MathExpression =>
  sumOf(
    'throttled',
    tableParts.flatMap((part) => throttlesOf(table, part)),
  )

/** Capacity units that the table or one index used for reading or writing. */
export const consumedBy = (
  table: ITable,
  { name, dimensions }: (typeof tableParts)[number],
  kind: 'Read' | 'Write',
): Metric =>
  ofTable(table, `Consumed${kind}CapacityUnits`, dimensions).with({ label: `${name}, ${kind.toLowerCase()}` })

const operations = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'TransactWriteItems']

/** DynamoDB's own failures, over the operations that the functions use. */
export const systemErrors = (table: ITable): MathExpression =>
  sumOf(
    'failures of DynamoDB itself',
    operations.map((Operation) => ofTable(table, 'SystemErrors', { Operation })),
  )

/** Calls of functions that Lambda refused for want of concurrency, in the whole account and region. */
export const lambdaThrottles = (): Metric =>
  LambdaFunction.metricAllThrottles({ period: FIVE_MINUTES, statistic: Stats.SUM })

/** Answers that are always a fault of ours. */
export const internalErrors = (answers: Answers): MathExpression =>
  sumOf(
    'faults of ours',
    faultStatuses.map((status) => answers.counted(status)),
  )

/** The statuses of 4xx that tell what clients send; 401, 403 and 429 have alarms of their own. */
const refusals = [...new Set(Object.values(errorKinds).map(({ status }) => status))].filter(
  (status) => status < 500 && ![401, 403, 429].includes(status),
)

/** The share of the requests that got the commonest status of 4xx, in percent; 0 while there are few requests. */
export const commonestRefusal = (api: RestApi, answers: Answers): MathExpression =>
  new MathExpression({
    label: 'commonest 4xx, % of requests',
    expression: `IF(requests >= ${SOME_REQUESTS}, 100 * MAX([${refusals.map((status) => `FILL(e${status}, 0)`).join(', ')}]) / requests, 0)`,
    usingMetrics: {
      requests: api.metricCount({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      ...Object.fromEntries(refusals.map((status) => [`e${status}`, answers.counted(status)])),
    },
    period: FIVE_MINUTES,
  })

const blockedBy = (scope: Construct, Rule: string): Metric => {
  const { stackName: WebACL, region: Region } = Stack.of(scope)
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
    dimensionsMap: { WebACL, Region, Rule },
  })
}

/** Requests that were over a rate: answered 429 by the gateway or, before it, by the firewall. */
export const rateLimited = (scope: Construct, answers: Answers, firewall: boolean): MathExpression =>
  sumOf('over a rate', [
    answers.counted(errorKinds.too_many_requests.status),
    ...(firewall ? rateRuleNames.map((name) => blockedBy(scope, name)) : []),
  ])

/** Requests that the firewall took for attacks: all that it blocked, but for its rates. */
export const firewallBlocks = (scope: Construct): MathExpression => {
  const rates = rateRuleNames.map((name, index) => [`rate_${index}`, blockedBy(scope, name)] as const)
  return new MathExpression({
    label: 'blocked by the firewall',
    expression: ['FILL(blocked, 0)', ...rates.map(([id]) => `FILL(${id}, 0)`)].join(' - '),
    usingMetrics: { blocked: blockedBy(scope, 'ALL'), ...Object.fromEntries(rates) },
    period: FIVE_MINUTES,
  })
}
