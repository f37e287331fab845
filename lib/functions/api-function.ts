import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Alias,
  Architecture,
  type CfnFunction,
  Code,
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
import { isEndpoint } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { createMayUpdate } from '../../shared/contract/endpoint.ts'
import { summaryOf } from '../../shared/openapi/operations.ts'
import type { BillingTable } from '../billing-table.ts'
import { logGroupProps } from '../log-group.ts'
import { kmsStatement } from '../operator-key.ts'
import type { StageSettings } from '../stages.ts'
import { grantsOf } from './grants.ts'

interface ApiFunctionProps {
  readonly deployable: Deployable
  /** The folder with its code, in which `index.mjs` exports `handler`. */
  readonly folder: string
  readonly tables: BillingTable
  readonly settings: StageSettings
}

/** Permissions for logging and tracing are given elsewhere. */
const statementsFor = (
  scope: Construct,
  deployable: Deployable,
  { ownArn, restoredArns }: BillingTable,
): PolicyStatement[] => {
  if (!deployable.usesTable) return []
  const { table: actions, indexes } = grantsOf(deployable)
  const tables = [ownArn, restoredArns]
  const queried = indexes.flatMap((name) => tables.map((arn) => `${arn}/index/${name}`))
  return [
    new PolicyStatement({ actions: [...actions], resources: tables }),
    ...(queried.length > 0 ? [new PolicyStatement({ actions: ['dynamodb:Query'], resources: queried })] : []),
    kmsStatement(scope),
  ]
}

/** The pages that a stage serves. They link to each other only if both are served. */
const servedPagesVariable = ({ docs, console }: StageSettings): Record<string, string> => {
  const names = [...(docs ? ['docs'] : []), ...(console ? ['console'] : [])]
  return names.length > 0 ? { SERVED_PAGES: names.join(', ') } : {}
}

const environmentVariables = ({
  deployable,
  tables,
  settings,
}: ApiFunctionProps): Record<string, string> => ({
  ...(deployable.usesTable ? { TABLE_NAME: tables.inUse.tableName } : {}),
  ...(deployable.usesTable && settings.corsOrigin ? { CORS_ORIGIN: settings.corsOrigin } : {}),
  ...(deployable.pages ? servedPagesVariable(settings) : {}),
})

/** The reserved concurrency of a function; undefined if it has none. */
export const reservedFor = (
  deployable: Deployable,
  { reserved, reservedForUpdates = reserved }: StageSettings['functions'],
): number | undefined =>
  isEndpoint(deployable) && (deployable.operation === 'update' || createMayUpdate(deployable))
    ? reservedForUpdates
    : reserved

/** `ProductsCreate` for `products.create`. */
export const constructName = ({ id }: Pick<Deployable, 'id'>): string =>
  id.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A function with its own log group and its own least-privilege role. */
export class ApiFunction extends Construct {
  readonly deployable: Deployable
  readonly logs: LogGroup
  readonly function: LambdaFunction
  /** Receives the requests. A deployment moves it to a new version. */
  readonly alias: Alias

  constructor(scope: Construct, props: ApiFunctionProps) {
    super(scope, constructName(props.deployable))
    const { deployable, settings } = props
    this.deployable = deployable
    this.logs = new LogGroup(this, 'Logs', logGroupProps(this, settings))
    this.function = this.createFunction(props)
    this.alias = this.createAlias(settings.functions)
  }

  private createFunction(props: ApiFunctionProps): LambdaFunction {
    const { deployable, folder, settings } = props
    const { memoryMb } = settings.functions
    const reserved = reservedFor(deployable, settings.functions)
    const summary = isEndpoint(deployable) ? summaryOf(deployable) : deployable.summary
    const created = new LambdaFunction(this, 'Function', {
      description: `${deployable.method} ${deployable.path}: ${summary}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(folder),
      memorySize: memoryMb,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MILLIS),
      environment: environmentVariables(props),
      role: this.createRole(props),
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: settings.logs.platform ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      // Older versions are kept, because an alias can be moved back to them. The version of a failed
      // deployment is deleted: otherwise its code could not be deployed again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    })
    // The template sets the mode, because a function that was traced might otherwise stay traced. The
    // library's setting for this mode would also grant the function access to X-Ray.
    if (!settings.tracing)
      (created.node.defaultChild as CfnFunction).tracingConfig = { mode: Tracing.PASS_THROUGH }
    return created
  }

  private createRole({ deployable, tables }: ApiFunctionProps): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `The permissions of ${deployable.id}`,
    })
    for (const statement of statementsFor(this, deployable, tables)) role.addToPolicy(statement)
    this.logs.grantWrite(role)
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
