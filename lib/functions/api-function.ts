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
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { logGroupProps } from '../log-group.ts'
import { keyStatements } from '../operator-key.ts'
import type { StageSettings } from '../stages.ts'
import { grantsOf } from './grants.ts'

/** The properties of a function's construct. */
export interface ApiFunctionProps {
  readonly served: Deployable
  /** The folder with its code, in which `index.mjs` exports `handler`. */
  readonly folder: string
  /** The table, used if the deployable uses one. */
  readonly table: ITable
  readonly settings: StageSettings
  /** The git commit of the code. */
  readonly commit: string
}

/** Returns the permissions of a function besides logging and tracing. */
const statementsFor = (scope: Construct, served: Deployable, table: ITable): PolicyStatement[] => {
  if (!served.usesTable) return []
  const { table: actions, indexes } = grantsOf(served)
  const resources = indexes.map((name) => `${table.tableArn}/index/${name}`)
  return [
    new PolicyStatement({ actions: [...actions], resources: [table.tableArn] }),
    ...(resources.length > 0 ? [new PolicyStatement({ actions: ['dynamodb:Query'], resources })] : []),
    ...keyStatements(scope, table),
  ]
}

const environmentOf = ({ served, table, settings }: ApiFunctionProps): Record<string, string> => ({
  ...(served.usesTable ? { TABLE_NAME: table.tableName } : {}),
  ...(served.usesTable && settings.corsOrigin ? { CORS_ORIGIN: settings.corsOrigin } : {}),
})

/** Returns the CloudFormation name of a route: `ProductsCreate` for `products.create`. */
export const constructName = ({ id }: Pick<Deployable, 'id'>): string =>
  id.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The Lambda function of one route, with its own log group and its own least-privilege role. */
export class ApiFunction extends Construct {
  readonly served: Deployable
  readonly logs: LogGroup
  readonly function: LambdaFunction
  /** The alias that receives requests, if releases are gradual or instances are provisioned. */
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

  /** The function or alias that the gateway invokes. */
  get target(): IFunction {
    return (this.alias ?? this.function) as IFunction
  }

  private createFunction(props: ApiFunctionProps): LambdaFunction {
    const { served, folder, settings, commit } = props
    const { memoryMb, reserved } = settings.functions
    const created = new LambdaFunction(this, 'Function', {
      // `npm run releases` reads route and commit from the description. A new commit makes a new version of every function.
      description: `${served.method} ${served.path}: ${served.summary} (${commit})`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(folder),
      memorySize: memoryMb,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MILLIS),
      environment: environmentOf(props),
      role: this.createRole(props),
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: settings.logs.platform ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      // Older versions stay for rollbacks. A version whose release fails is deleted, or the same code could not be deployed again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    })
    Validations.of(created).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Only the gateway invokes it, synchronously. A dead-letter queue receives asynchronous invocations.',
    })
    return created
  }

  private createRole({ served, table }: ApiFunctionProps): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${served.id} may do`,
    })
    for (const statement of statementsFor(this, served, table)) role.addToPolicy(statement)
    this.logs.grantWrite(role)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray accepts trace segments only on the resource "*". CDK adds these two actions for active tracing.',
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
