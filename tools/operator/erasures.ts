import { GetCommand, type GetCommandOutput, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../../shared/config.ts'
import { placeholdersOf } from '../../shared/contract/field.ts'
import { customer } from '../../shared/resources/customer.ts'
import type { Item } from '../../shared/store/items.ts'
import { entityKey, idOf } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import { updateEntity } from '../../shared/store/updates.ts'

/** What became of the erasures of one table in another. */
export interface Reapplied {
  /** Erased now. */
  erased: number
  /** Erased there by then or later already. */
  already: number
  /** Not in that table at all. */
  absent: number
}

type Erased = Required<Pick<Item, 'pk' | 'erased'>>

/** The anonymised entities of a table, with the stamp of each one's last erasure; reads the whole table. */
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
 * Erases in the configured table every customer that is erased in `table`, since a restored table holds again what was
 * erased after the moment that it was restored to (R11). May be run again.
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
