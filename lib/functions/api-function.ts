import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
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
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/store/budget.ts'
import { logGroupProps } from '../log-group.ts'
import type { StageSettings } from '../stages.ts'

/** A route that a function serves; every endpoint is one. */
export interface Served {
  readonly id: string
  readonly method: string
  /** Below the base URL, with `{id}` where an id is taken. */
  readonly path: string
  readonly summary: string
}

/** What a function is made of. */
export interface ApiFunctionProps {
  readonly served: Served
  /** The folder with its code: an `index.mjs` that exports `handler`. */
  readonly folder: string
  readonly settings: StageSettings
  /** The commit that the code is of. */
  readonly commit: string
  /** What it may do besides logging and tracing. */
  readonly statements: readonly PolicyStatement[]
  readonly environment: Readonly<Record<string, string>>
}

/** The name of a route in CloudFormation: `products.create` is ProductsCreate. */
export const constructName = ({ id }: Pick<Served, 'id'>): string =>
  id.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** One route's Lambda function with its own log group and its own role of the least rights. */
export class ApiFunction extends Construct {
  readonly served: Served
  readonly logs: LogGroup
  readonly function: LambdaFunction
  /** The version that takes requests, where releases are gradual or instances are kept warm. */
  readonly alias: Alias | undefined

  constructor(scope: Construct, props: ApiFunctionProps) {
    super(scope, constructName(props.served))
    const { served, settings } = props
    this.served = served
    this.logs = new LogGroup(this, 'Logs', logGroupProps(this, settings))
    this.function = this.createFunction(props)
    this.alias =
      settings.canary || settings.functions.provisioned ? this.createAlias(settings.functions) : undefined
  }

  /** What the gateway calls. */
  get target(): IFunction {
    return (this.alias ?? this.function) as IFunction
  }

  private createFunction(props: ApiFunctionProps): LambdaFunction {
    const { served, folder, settings, commit, environment } = props
    const { memoryMb, reserved } = settings.functions
    const created = new LambdaFunction(this, 'Function', {
      // "npm run releases" reads route and commit from it. A new commit is a new version of every function.
      description: `${served.method} ${served.path}: ${served.summary} (${commit})`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(folder),
      memorySize: memoryMb,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MILLIS),
      environment: { ...environment },
      role: this.createRole(props),
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: settings.logs.platform ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      // Older versions stay, to go back to; a version whose release fails goes, or the same code could not come again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    })
    Validations.of(created).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Only the gateway calls it, and waits; a dead-letter queue takes asynchronous calls.',
    })
    return created
  }

  private createRole({ served, statements }: ApiFunctionProps): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${served.id} may do`,
    })
    for (const statement of statements) role.addToPolicy(statement)
    this.logs.grantWrite(role)
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
