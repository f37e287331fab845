import { Stack } from 'aws-cdk-lib'
import { AccessLogFormat, LogGroupLogDestination, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { logGroupProps } from '../log-group.ts'
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
  private readonly settings: StageSettings

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id)
    this.settings = settings
    this.group = new LogGroup(this, 'Requests', logGroupProps(this, settings))
    this.destination = new LogGroupLogDestination(this.group)
  }

  /** Bounds the life of the log that the gateway makes of its own faults, which would be kept for ever. */
  boundFaults(api: RestApi, stageName: string): void {
    const faults = new LogGroup(this, 'Faults', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
      ...logGroupProps(this, this.settings),
    })
    api.deploymentStage.node.addDependency(faults)
  }
}

/** The name of a stack's API in metrics: of any other API of the account it is another. */
export const apiName = (scope: Construct): string => Stack.of(scope).stackName
