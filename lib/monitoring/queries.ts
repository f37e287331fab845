import { Stack } from 'aws-cdk-lib'
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

/** The firewall's only if there is one. */
type Logs = Readonly<Record<'functions' | 'gateway' | 'firewall', readonly ILogGroup[]>>

interface Query {
  readonly sources: readonly (keyof Logs)[]
  readonly lines: readonly string[]
}

const functionQuery = (...lines: string[]): Query => ({ sources: ['functions'], lines })
const gatewayQuery = (...lines: string[]): Query => ({ sources: ['gateway'], lines })

const refused = 'filter status >= 400 and status < 500'

/** The queries of docs/operating.md for Logs Insights. */
export const queries: Readonly<Record<string, Query>> = {
  'one-request': {
    sources: ['functions', 'gateway'],
    lines: [
      'fields @timestamp, @message',
      'filter request_id = "ID" or gateway_request_id = "ID" or trace_id = "ID"',
      'sort @timestamp',
    ],
  },
  failures: functionQuery(
    'fields @timestamp, route, version, status, error.name, error.message, error.cause.name, error.cause.message, request_id, trace_id',
    'filter status >= 500',
    'sort @timestamp desc',
    'limit 200',
  ),
  'failures-by-route': functionQuery(
    'filter status >= 500',
    'stats count(*) as failures by route, version, status, error.name, error.cause.name',
    'sort failures desc',
  ),
  'failures-of-the-gateway': gatewayQuery(
    'filter status >= 500 and error != "-"',
    'stats count(*) as failures by method, route, status, error, lambda_status',
    'sort failures desc',
  ),
  crashes: functionQuery(
    'fields @timestamp, @log, @message',
    // Every line of a request has a route. Lines without one come from the runtime.
    'filter not ispresent(route)',
    'sort @timestamp desc',
    'limit 200',
  ),
  'time-by-route': gatewayQuery(
    'stats count(*) as requests, pct(ms, 50) as p50, pct(ms, 99) as p99, pct(function_ms, 99) as p99_of_function, max(ms) as longest by method, route',
    'sort p99 desc',
  ),
  'time-by-version': functionQuery(
    'stats count(*) as requests, pct(ms, 50) as p50, pct(ms, 99) as p99, max(ms) as longest by route, version',
    'sort p99 desc',
  ),
  'refused-credentials': functionQuery(
    'filter status = 401',
    'stats count(*) as requests by claimed_app_id, route',
    'sort requests desc',
  ),
  'refusals-by-status': gatewayQuery(
    refused,
    'stats count(*) as refusals by status, error, method, route',
    'sort refusals desc',
  ),
  'refusals-by-application': functionQuery(
    refused,
    'stats count(*) as refusals by status, kind, app_id, route, version',
    'sort refusals desc',
  ),
  'refused-fields': functionQuery(
    // Quoted, since it is also the name of a command.
    'filter ispresent(`fields`)',
    'stats count(*) as refusals by app_id, route, kind, `fields`',
    'sort refusals desc',
  ),
  'blocked-requests': {
    sources: ['firewall'],
    lines: [
      'stats count(*) as blocked by terminatingRuleId, httpRequest.clientIp, httpRequest.httpMethod, httpRequest.uri',
      'sort blocked desc',
    ],
  },
  'requests-by-application': functionQuery(
    'stats count(*) as requests by app_id, route, bin(1m)',
    'sort requests desc',
  ),
  'bytes-by-application': functionQuery(
    'stats sum(bytes) as sent, count(*) as requests by app_id, route, bin(1m)',
    'sort sent desc',
  ),
  'database-busy': functionQuery(
    'filter status = 503',
    'stats count(*) as responses by app_id, route, error.name, error.cause.name',
    'sort responses desc',
  ),
  'keys-in-use': functionQuery(
    'filter ispresent(key_id)',
    'stats count(*) as requests, max(@timestamp) as last by app_id, key_id',
    'sort last desc',
  ),
}

/** The queries are in a folder with the stack's name. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, logs: Logs) {
    super(scope, id)
    for (const [name, query] of Object.entries(queries)) {
      const logGroupNames = query.sources.flatMap((source) =>
        logs[source].map(({ logGroupName }) => logGroupName),
      )
      if (logGroupNames.length === 0) continue
      new CfnQueryDefinition(this, name, {
        name: `${Stack.of(this).stackName}/${name}`,
        queryString: query.lines.join('\n| '),
        logGroupNames,
      })
    }
  }
}
