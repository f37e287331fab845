import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Alias,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../shared/store/budget.ts'
import { grantsOf } from './grants.ts'
import { keyGrant } from './key-grant.ts'
import type { StageSettings } from './stages.ts'

/** What a function is made of. */
export interface EndpointFunctionProps {
  readonly endpoint: Endpoint
  /** The folder with its `index.js`. */
  readonly folder: string
  readonly table: ITable
  readonly settings: StageSettings
}

/** The name of an endpoint in CloudFormation: `products.create` is ProductsCreate. */
export const constructName = ({ id }: Pick<Endpoint, 'id'>): string =>
  id.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** One endpoint's Lambda function with its own log group and its own role of the least rights. */
export class EndpointFunction extends Construct {
  readonly endpoint: Endpoint
  readonly function: LambdaFunction
  /** The version that takes requests, where releases are gradual or instances are kept warm. */
  readonly alias: Alias | undefined

  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    super(scope, id)
    const { endpoint, settings } = props
    this.endpoint = endpoint
    this.function = this.createFunction(props, this.createLogs(settings))
    this.alias =
      settings.canary || settings.functions.provisioned ? this.createAlias(settings.functions) : undefined
  }

  /** What the gateway calls. */
  get target(): IFunction {
    return (this.alias ?? this.function) as IFunction
  }

  private createLogs({ logs, table }: StageSettings): LogGroup {
    return new LogGroup(this, 'Logs', {
      retention: logs.days,
      removalPolicy: table.kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
  }

  private createFunction(
    { endpoint, folder, table, settings }: EndpointFunctionProps,
    logGroup: LogGroup,
  ): LambdaFunction {
    const { memoryMb, reserved } = settings.functions
    const created = new LambdaFunction(this, 'Function', {
      description: `${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(folder),
      memorySize: memoryMb,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MILLIS),
      environment: {
        TABLE_NAME: table.tableName,
        ...(settings.corsOrigin ? { CORS_ORIGIN: settings.corsOrigin } : {}),
      },
      role: this.createRole(endpoint, table, logGroup),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: settings.logs.platform ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    })
    Validations.of(created).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Only the gateway calls it, and waits; a dead-letter queue takes asynchronous calls.',
    })
    return created
  }

  private createRole(endpoint: Endpoint, table: ITable, logGroup: LogGroup): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${endpoint.id} may do`,
    })
    const { table: actions, indexes } = grantsOf(endpoint)
    role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [table.tableArn] }))
    if (indexes.length > 0)
      role.addToPolicy(
        new PolicyStatement({
          actions: ['dynamodb:Query'],
          resources: indexes.map((name) => `${table.tableArn}/index/${name}`),
        }),
      )
    keyGrant(role, table)
    logGroup.grantWrite(role)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray takes trace segments only on the resource "*"; CDK adds those two actions for active tracing.',
    })
    return role
  }

  private createAlias({ provisioned }: StageSettings['functions']): Alias {
    return new Alias(this, 'Live', {
      aliasName: 'live',
      version: this.function.currentVersion as IVersion,
      ...(provisioned ? { provisionedConcurrentExecutions: provisioned } : {}),
    })
  }
}
