import { Stack } from 'aws-cdk-lib'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnPipe } from 'aws-cdk-lib/aws-pipes'
import { Construct } from 'constructs'
import { changeDetail, EVENT_SOURCE, EVENT_TYPE } from '../../shared/contract/change-event.ts'
import { entityKey } from '../../shared/store/keys.ts'
import type { BillingTable } from '../billing-table.ts'
import { kmsStatement } from '../operator-key.ts'
import type { StageSettings } from '../stages.ts'

interface ChangeEventsProps {
  readonly tables: BillingTable
  readonly settings: StageSettings
}

/** `name` distinguishes the pipe and role of the table in use from those of other tables. */
interface StreamSource {
  readonly arn: string
  readonly name: string
}

const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']

/** The limit of PutEvents. */
const MAX_BATCH = 10
const UNLIMITED = -1

/** Entities that were created or changed. Keys and applications have other sort keys. */
const filter = {
  eventName: changeDetail.properties.change?.enum,
  dynamodb: { Keys: { sk: { S: [entityKey('', '').sk] } } },
}

const template = {
  change_id: '<$.eventID>',
  change: '<$.eventName>',
  entity: '<$.dynamodb.Keys.pk.S>',
}

/** Undefined while the stream of a restored table is unknown. Throws Error if settings disagree. */
const sourceOf = (
  { inUse, ownStreamArn }: BillingTable,
  settings: StageSettings,
): StreamSource | undefined => {
  const { events, table } = settings
  const label = typeof events === 'object' ? events.streamLabel : undefined
  if (!table.restored) {
    if (label !== undefined) throw new Error('events.streamLabel must not be set without table.restored')
    return { arn: ownStreamArn!, name: 'Own' }
  }
  if (events === true)
    throw new Error(
      'events must be { streamLabel: … } with table.restored, the label of the stream of the restored table (docs/events.md, "After a restore")',
    )
  return label === undefined
    ? undefined
    : { arn: `${inUse.tableArn}/stream/${label}`, name: `Restored${table.restored}` }
}

/**
 * The event bus, which receives an event for each create and change of an entity, and the pipe from the
 * table's stream to the bus. With the setting `'stream'`, there is no pipe yet, but everything that it needs:
 * CloudFormation cannot create a pipe right after its stream or its role. Throws Error if the settings
 * `events` and `table.restored` disagree.
 */
export class ChangeEvents extends Construct {
  readonly bus: EventBus
  /** Undefined if there is no pipe. */
  readonly pipe: string | undefined

  constructor(scope: Construct, id: string, { tables, settings }: ChangeEventsProps) {
    super(scope, id)
    this.bus = new EventBus(this, 'Bus', { eventBusName: Stack.of(this).stackName })
    const source = sourceOf(tables, settings)
    if (!source) return
    const role = this.createRole(source)
    if (settings.events !== 'stream') this.pipe = this.createPipe(source, role)
  }

  /** The pipe of another table keeps its own role until an update can no longer be rolled back. */
  private createRole({ arn, name }: StreamSource): Role {
    const role = new Role(this, `${name}Role`, {
      assumedBy: new ServicePrincipal('pipes.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      description: 'The permissions of the event pipe',
    })
    const actions = READ_STREAM.map((action) => `dynamodb:${action}`)
    role.addToPolicy(new PolicyStatement({ actions, resources: [arn] }))
    role.addToPolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }),
    )
    role.addToPolicy(kmsStatement(this, ['Decrypt']))
    return role
  }

  private createPipe({ arn, name }: StreamSource, role: Role): string {
    // Without a fixed name, so that a pipe for another stream can replace it.
    const pipe = new CfnPipe(this, `${name}Pipe`, {
      roleArn: role.roleArn,
      source: arn,
      sourceParameters: {
        filterCriteria: { filters: [{ pattern: JSON.stringify(filter) }] },
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: MAX_BATCH,
          // Events have no order, so ten batches of a shard can be in flight at once.
          parallelizationFactor: 10,
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
          // If the pipe gave up a record, there would be a change without an event.
          maximumRetryAttempts: UNLIMITED,
          maximumRecordAgeInSeconds: UNLIMITED,
        },
      },
      target: this.bus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: { source: EVENT_SOURCE, detailType: EVENT_TYPE },
        inputTemplate: JSON.stringify(template),
      },
    })
    pipe.node.addDependency(role)
    return pipe.ref
  }
}
