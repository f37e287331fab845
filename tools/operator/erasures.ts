import { GetCommand, type GetCommandOutput, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../../shared/config.ts'
import { placeholdersOf } from '../../shared/contract/field.ts'
import { customer } from '../../shared/resources/customer.ts'
import type { Item } from '../../shared/store/items.ts'
import { entityKey, idOf } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import { updateEntity } from '../../shared/store/updates.ts'

/** How many erasures of one table were applied to another. */
export interface Reapplied {
  /** Erased now. */
  erased: number
  /** Already erased there, at the same time or later. */
  already: number
  /** Not in that table. */
  absent: number
}

type Erased = Required<Pick<Item, 'pk' | 'erased'>>

/** Scans a table for anonymised entities and the stamps of their last erasures. */
const erasedIn = async function* (table: string): AsyncIterableIterator<Erased> {
  let from: ScanCommandOutput['LastEvaluatedKey']
  do {
    const page = await send<ScanCommandOutput>(
      new ScanCommand({
        TableName: table,
        FilterExpression: 'attribute_exists(erased)',
        ProjectionExpression: 'pk, erased',
        ConsistentRead: true,
        ExclusiveStartKey: from,
      }),
    )
    yield* (page.Items ?? []) as Erased[]
    from = page.LastEvaluatedKey
  } while (from)
}

/**
 * Anonymises in the configured table every customer who is anonymised in `table`: a restored table contains again what
 * was erased after its point in time (R11). May be run again.
 */
export const reapplyErasures = async (table: string): Promise<Reapplied> => {
  const done: Reapplied = { erased: 0, already: 0, absent: 0 }
  for await (const { pk, erased } of erasedIn(table)) {
    const app = pk.slice(0, pk.indexOf('#'))
    const id = idOf({ pk })
    const key = { TableName: config().table, Key: entityKey(app, id), ConsistentRead: true }
    const { Item: item } = await send<GetCommandOutput>(new GetCommand(key))
    if (!item) done.absent += 1
    else if (((item as Item).erased ?? '') >= erased) done.already += 1
    else {
      const changes = { content: placeholdersOf(customer.fields), erase: true }
      await updateEntity({ app, resource: customer, id, changes, after: erased })
      done.erased += 1
    }
  }
  return done
}
