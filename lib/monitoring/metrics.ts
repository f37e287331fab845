import { Duration, Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import {
  type IMetric,
  MathExpression,
  type MathExpressionProps,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { errorKinds } from '../../shared/errors.ts'
import { table as definition } from '../../shared/store/table.ts'
import { BLOCKED_ADDRESSES } from '../gateway/firewall.ts'
import { rateRuleNames } from '../gateway/rate-rules.ts'
import { failureStatuses, type ResponseCounts } from './response-counts.ts'

/** Metrics that alarms and dashboard share. Their period is the library's default of five minutes. */

/** Below this, a failure rate or percentile means nothing. */
const MIN_REQUESTS = 20
/** Below this, a rate of refusals means nothing. */
const MIN_REQUESTS_FOR_REFUSALS = 100

/** Missing data counts as 0. Ids are derived from the label, since they must be unique in a graph. */
const sumOf = (label: string, metrics: readonly IMetric[]): MathExpression => {
  const prefix = label.toLowerCase().replaceAll(/\W/g, '_')
  const ids = metrics.map((_, index) => `${prefix}_${index}`)
  return new MathExpression({
    label,
    expression: ids.map((id) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [ids[index] as string, metric])),
  })
}

/** 0 if the condition on the metric `requests` is false. The expression can use that metric. */
const onlyIfRequests = (condition: string, api: RestApi, props: MathExpressionProps): MathExpression =>
  new MathExpression({
    ...props,
    expression: `IF(requests ${condition}, ${props.expression}, 0)`,
    usingMetrics: { requests: api.metricCount({ statistic: Stats.SUM }), ...props.usingMetrics },
  })

const serverErrors = (api: RestApi) => ({
  label: '5xx, % of requests',
  expression: '100 * errors / requests',
  usingMetrics: { errors: api.metricServerError({ statistic: Stats.SUM }) },
})

/** The rate is in percent, and 0 if there are few requests. */
export const serverErrorRate = (api: RestApi): MathExpression =>
  onlyIfRequests(`>= ${MIN_REQUESTS}`, api, serverErrors(api))

/** The rate is in percent, and 0 unless there are few requests. */
export const serverErrorRateOfFew = (api: RestApi): MathExpression =>
  onlyIfRequests(`< ${MIN_REQUESTS}`, api, { ...serverErrors(api), label: '5xx of few requests, %' })

/** The gateway's latency is in milliseconds, and 0 if there are few requests. */
export const latencyP99 = (api: RestApi): MathExpression =>
  onlyIfRequests(`>= ${MIN_REQUESTS}`, api, {
    label: 'p99, ms',
    expression: 'latency',
    usingMetrics: { latency: api.metricLatency({ statistic: 'p99' }) },
  })

export const routeMetric = (
  api: RestApi,
  deployable: Deployable,
  metricName: string,
  statistic: string,
): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    statistic,
    label: deployable.id,
    dimensionsMap: {
      ApiName: api.restApiName,
      Stage: api.deploymentStage.stageName,
      Method: deployable.method,
      Resource: deployable.path,
    },
  })

const tableMetric = (table: ITable, metricName: string, dimensions: Record<string, string> = {}): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    statistic: Stats.SUM,
    dimensionsMap: { TableName: table.tableName, ...dimensions },
  })

interface TablePart {
  readonly name: string
  readonly dimensions: Record<string, string>
}

export const tableParts: readonly TablePart[] = [
  { name: 'table', dimensions: {} },
  ...definition.indexes.map(({ name }) => ({ name, dimensions: { GlobalSecondaryIndexName: name } })),
]

export const throttlesOf = (table: ITable, label: string, parts: readonly TablePart[]): MathExpression =>
  sumOf(
    label,
    parts.flatMap(({ dimensions }) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table, name, dimensions)),
    ),
  )

export const consumedBy = (table: ITable, { name, dimensions }: TablePart, kind: 'Read' | 'Write'): Metric =>
  tableMetric(table, `Consumed${kind}CapacityUnits`, dimensions).with({
    label: `${name}, ${kind.toLowerCase()}`,
  })

const operations = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'TransactWriteItems']

/** Counts only the operations that functions use. */
export const systemErrors = (table: ITable): MathExpression =>
  sumOf(
    'internal errors of DynamoDB',
    operations.map((Operation) => tableMetric(table, 'SystemErrors', { Operation })),
  )

/** Counts the whole account and region. */
export const lambdaThrottles = (): Metric => LambdaFunction.metricAllThrottles({ statistic: Stats.SUM })

/** 500 and crashes are always failures of the service. */
export const internalErrors = (responses: ResponseCounts): MathExpression =>
  sumOf(
    'internal errors',
    failureStatuses.map((status) => responses.counted(status)),
  )

/** The 4xx that clients cause. 401 and 429 have their own alarms; the firewall's 403 is not counted. */
const refusals = [...new Set(Object.values(errorKinds).map(({ status }) => status))].filter(
  (status) => status < 500 && ![401, 429].includes(status),
)

/** The refusal is in percent of requests, and 0 if there are few requests. */
export const mostCommonRefusal = (api: RestApi, responses: ResponseCounts): MathExpression =>
  onlyIfRequests(`>= ${MIN_REQUESTS_FOR_REFUSALS}`, api, {
    label: 'most common 4xx, % of requests',
    expression: `100 * MAX([${refusals.map((status) => `FILL(e${status}, 0)`).join(', ')}]) / requests`,
    usingMetrics: Object.fromEntries(refusals.map((status) => [`e${status}`, responses.counted(status)])),
  })

const blockedBy = (scope: Construct, Rule: string): Metric => {
  const { stackName: WebACL, region: Region } = Stack.of(scope)
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    statistic: Stats.SUM,
    dimensionsMap: { WebACL, Region, Rule },
  })
}

/** A limit of the gateway or of the firewall. */
export const rateLimited = (scope: Construct, responses: ResponseCounts, firewall: boolean): MathExpression =>
  sumOf('rate limited', [
    responses.counted(errorKinds.too_many_requests.status),
    ...(firewall ? rateRuleNames.map((name) => blockedBy(scope, name)) : []),
  ])

/** All blocked requests, except those blocked by rate rules and by the operator's own list of addresses. */
export const firewallBlocks = (scope: Construct): MathExpression => {
  const excluded = [BLOCKED_ADDRESSES, ...rateRuleNames].map(
    (name, index) => [`other_${index}`, blockedBy(scope, name)] as const,
  )
  return new MathExpression({
    label: 'blocked by the firewall',
    expression: ['FILL(blocked, 0)', ...excluded.map(([id]) => `FILL(${id}, 0)`)].join(' - '),
    usingMetrics: { blocked: blockedBy(scope, 'ALL'), ...Object.fromEntries(excluded) },
  })
}

/** ACM counts the days until the certificate has expired. */
export const daysToExpiry = (CertificateArn: string): Metric =>
  new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    statistic: Stats.MINIMUM,
    period: Duration.days(1),
    dimensionsMap: { CertificateArn },
  })

const pipeMetric = (pipe: string, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/EventBridge/Pipes',
    metricName,
    statistic: Stats.SUM,
    dimensionsMap: { PipeName: pipe },
  })

/** Executions may fail in whole or in part. The pipe retries them. */
export const failedExecutions = (pipe: string): MathExpression =>
  sumOf(
    'failed runs of the pipe',
    ['ExecutionFailed', 'ExecutionPartiallyFailed', 'ExecutionTimeout'].map((name) => pipeMetric(pipe, name)),
  )

const writes = ['PutItem', 'UpdateItem', 'TransactWriteItems']

/** The successful writes in a period in which the pipe did not run; 0 if it ran. */
export const writesWithoutEvents = (table: ITable, pipe: string): MathExpression =>
  new MathExpression({
    label: 'writes without events',
    expression: `IF(FILL(runs, 0) > 0, 0, ${writes.map((_, index) => `FILL(writes_${index}, 0)`).join(' + ')})`,
    usingMetrics: {
      runs: pipeMetric(pipe, 'Invocations'),
      ...Object.fromEntries(
        writes.map((Operation, index) => [
          `writes_${index}`,
          tableMetric(table, 'SuccessfulRequestLatency', { Operation }).with({
            statistic: Stats.SAMPLE_COUNT,
          }),
        ]),
      ),
    },
  })
