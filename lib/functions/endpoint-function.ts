import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { keyStatements } from '../operator-key.ts'
import type { StageSettings } from '../stages.ts'
import { ApiFunction } from './api-function.ts'
import { grantsOf } from './grants.ts'

/** An endpoint's function: its code, and the table that it works on. */
export interface EndpointFunctionProps {
  readonly endpoint: Endpoint
  /** The folder with its code. */
  readonly folder: string
  readonly table: ITable
  readonly settings: StageSettings
  readonly commit: string
}

const statementsFor = (endpoint: Endpoint, table: ITable): PolicyStatement[] => {
  const { table: actions, indexes } = grantsOf(endpoint)
  const resources = indexes.map((name) => `${table.tableArn}/index/${name}`)
  return [
    new PolicyStatement({ actions: [...actions], resources: [table.tableArn] }),
    ...(resources.length > 0 ? [new PolicyStatement({ actions: ['dynamodb:Query'], resources })] : []),
  ]
}

/** The function of one endpoint of the catalogue, with the rights on the table that the endpoint implies. */
export class EndpointFunction extends ApiFunction {
  constructor(scope: Construct, { endpoint, folder, table, settings, commit }: EndpointFunctionProps) {
    super(scope, {
      served: endpoint,
      folder,
      settings,
      commit,
      statements: [...statementsFor(endpoint, table), ...keyStatements(scope, table)],
      environment: {
        TABLE_NAME: table.tableName,
        ...(settings.corsOrigin ? { CORS_ORIGIN: settings.corsOrigin } : {}),
      },
    })
  }
}
