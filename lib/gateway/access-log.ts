import { type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AccessLogFormat, LogGroupLogDestination, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'

/**
 * The fields of an access log line. None is personal: no address, no user agent, and of the path only its template,
 * since the id in it is the client's own.
 */
export const accessLogFields = {
  time: '$context.requestTimeEpoch',
  request_id: '$context.requestId',
  function_request_id: '$context.integration.requestId',
  trace_id: '$context.xrayTraceId',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  error: '$context.error.responseType',
  ms: '$context.responseLatency',
  function_ms: '$context.integration.latency',
  function_status: '$context.integration.status',
  bytes: '$context.responseLength',
} as const

/** Where the gateway logs: a line for each request, and its own faults. */
export class AccessLog extends Construct {
  readonly group: ILogGroup
  readonly destination: LogGroupLogDestination
  readonly format = AccessLogFormat.custom(JSON.stringify(accessLogFields))
  private readonly days: StageSettings['logs']['days']
  private readonly removalPolicy: RemovalPolicy

  constructor(
    scope: Construct,
    id: string,
    { days, removalPolicy }: { days: StageSettings['logs']['days']; removalPolicy: RemovalPolicy },
  ) {
    super(scope, id)
    this.days = days
    this.removalPolicy = removalPolicy
    this.group = new LogGroup(this, 'Requests', { retention: days, removalPolicy })
    this.destination = new LogGroupLogDestination(this.group)
  }

  /** Bounds the life of the log that the gateway makes of its own faults, which would be kept for ever. */
  boundFaults(api: RestApi, stageName: string): void {
    const faults = new LogGroup(this, 'Faults', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
      retention: this.days,
      removalPolicy: this.removalPolicy,
    })
    api.deploymentStage.node.addDependency(faults)
  }
}

/** The name of a stack's API in metrics: of any other API of the account it is another. */
export const apiName = (scope: Construct): string => Stack.of(scope).stackName
