import { Duration } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { table as definition } from '../../shared/store/table.ts'
import type { Served } from '../stack/api-function.ts'

/** The measures that alarms and dashboard share. */

const FIVE_MINUTES = Duration.minutes(5)

/** Fewer requests than these in a period say nothing about a rate or a percentile. */
const FEW_REQUESTS = 20

const sumOf = (label: string, ...metrics: IMetric[]): MathExpression => {
  // Ids must differ between all expressions of a graph.
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
export const ofRoute = (api: RestApi, served: Served, metricName: string, statistic: string): Metric =>
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

/** Throttled reads and writes of the table or of one index. */
export const throttlesOf = (table: ITable, { name, dimensions }: (typeof tableParts)[number]) =>
  sumOf(
    name,
    ofTable(table, 'ReadThrottleEvents', dimensions),
    ofTable(table, 'WriteThrottleEvents', dimensions),
  )

/** Capacity units that the table or one index used for reading or writing. */
export const consumedBy = (
  table: ITable,
  { name, dimensions }: (typeof tableParts)[number],
  kind: 'Read' | 'Write',
): Metric =>
  ofTable(table, `Consumed${kind}CapacityUnits`, dimensions).with({ label: `${name}, ${kind.toLowerCase()}` })

/** DynamoDB's own failures, over the operations that the functions use. */
export const systemErrors = (table: ITable, operations: readonly string[]): MathExpression =>
  sumOf(
    'DynamoDB system errors',
    ...operations.map((Operation) => ofTable(table, 'SystemErrors', { Operation })),
  )
