import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { table as definition } from '../shared/store/table.ts'
import { operatorKey } from './operator-key.ts'
import type { StageSettings } from './stages.ts'

const keyAttribute = (name: string) => ({ name, type: AttributeType.STRING })

const keysOf = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => ({
  partitionKey: keyAttribute(partitionKey),
  sortKey: keyAttribute(sortKey),
})

const ceilingsOf = (ceiling: StageSettings['table']['ceiling']) =>
  ceiling ? { maxReadRequestUnits: ceiling.read, maxWriteRequestUnits: ceiling.write } : {}

/**
 * The table with its indexes, created from the shared definition. Permissions are for the stack's own table
 * and all restored tables, whichever is in use. So a restore does not change permissions, and while it is
 * deployed or rolled back, old and new versions of functions can access their table.
 */
export class BillingTable extends Construct {
  /** The stack's own table, or a restored one. */
  readonly inUse: ITable
  readonly ownArn: string
  readonly restoredArns: string
  /** Undefined without the setting `events`. */
  readonly ownStreamArn: string | undefined

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id)
    const { restored } = settings.table
    const own = this.create(settings)
    this.ownArn = own.tableArn
    this.ownStreamArn = own.tableStreamArn
    this.restoredArns = `${own.tableArn}-restored-*`
    this.inUse = restored
      ? Table.fromTableName(this, 'Restored', `${own.tableName}-restored-${restored}`)
      : (own as ITable)
  }

  private create(settings: StageSettings): Table {
    const { kept, ceiling } = settings.table
    const encryptionKey = operatorKey(this, settings)
    const created = new Table(this, 'Table', {
      ...keysOf(definition),
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...ceilingsOf(ceiling),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // The stream contains only keys, so no value can leave the table through it.
      ...(settings.events ? { stream: StreamViewType.KEYS_ONLY } : {}),
      deletionProtection: kept,
      removalPolicy: kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(encryptionKey
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }
        : { encryption: TableEncryption.DEFAULT }),
    })
    for (const index of definition.indexes)
      created.addGlobalSecondaryIndex({
        indexName: index.name,
        ...keysOf(index),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...index.projected],
        ...ceilingsOf(ceiling),
      })
    return created
  }
}
