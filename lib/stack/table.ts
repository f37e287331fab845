import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { table as definition } from '../../shared/store/table.ts'
import { operatorKey } from '../operator-key.ts'
import type { StageSettings } from '../stages.ts'

const key = (name: string) => ({ name, type: AttributeType.STRING })
const keys = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => ({
  partitionKey: key(partitionKey),
  sortKey: key(sortKey),
})

const ceilings = (ceiling: StageSettings['table']['ceiling']) =>
  ceiling ? { maxReadRequestUnits: ceiling.read, maxWriteRequestUnits: ceiling.write } : {}

/** The table with its indexes, made from the shared definition. `inUse` is the table that the functions use: this one, or a restored one. */
export class BillingTable extends Construct {
  readonly inUse: ITable

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id)
    const { restored } = settings.table
    const encryptionKey = operatorKey(this, settings)
    const own = this.create(settings.table, encryptionKey)
    this.inUse = restored
      ? Table.fromTableAttributes(this, 'Restored', {
          tableName: restored,
          ...(encryptionKey ? { encryptionKey } : {}),
        })
      : (own as ITable)
  }

  private create({ kept, ceiling }: StageSettings['table'], encryptionKey: IKey | undefined) {
    const created = new Table(this, 'Table', {
      ...keys(definition),
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...ceilings(ceiling),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: kept,
      removalPolicy: kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(encryptionKey
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }
        : { encryption: TableEncryption.DEFAULT }),
    })
    for (const index of definition.indexes)
      created.addGlobalSecondaryIndex({
        indexName: index.name,
        ...keys(index),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...definition.projected],
        ...ceilings(ceiling),
      })
    return created
  }
}
