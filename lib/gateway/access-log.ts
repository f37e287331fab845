import { AccessLogFormat, LogGroupLogDestination, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { logGroupProps } from '../log-group.ts'
import type { StageSettings } from '../stages.ts'

/**
 * None is personal: no address, no user agent, and the path as a template, since ids in it may be client ids.
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
  /** Lambda's own status: 200 also for a function that crashed or timed out. */
  lambda_status: '$context.integration.integrationStatus',
  bytes: '$context.responseLength',
} as const

/** The access log, with one line per request, and the execution log, with the gateway's own errors. */
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

  /** The execution log would otherwise be kept forever. */
  limitExecutionLog(api: RestApi, stageName: string): void {
    const faults = new LogGroup(this, 'Faults', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
      ...logGroupProps(this, this.settings),
    })
    api.deploymentStage.node.addDependency(faults)
  }
}
