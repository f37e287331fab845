import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { ScanCommand, type ScanCommandOutput, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { erasurePlaceholders } from '../../shared/contract/field.ts'
import { customer } from '../../shared/resources/customer.ts'
import type { Item } from '../../shared/store/items.ts'
import { applicationKey, entityKey, serverIdOf } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { tableName } from '../../shared/store/service.ts'
import { updateItem } from '../../shared/store/updates.ts'
import { NotFound, readApplication } from '../applications/application-records.ts'
import { disableApplication } from '../applications/applications.ts'
import { retryWhileBusy } from '../applications/retry.ts'
import { asCommandError, CommandError, UsageError } from '../cli/command.ts'
import type { ShowProgress } from '../cli/progress.ts'
import { requireKnownItem } from './entity-items.ts'

/** Returns the counts of how often each operation on one table was repeated on another. */
const nothingRepeated = () => ({
  erased: 0,
  /** Customers that were already erased there, at the same time or later. */
  already: 0,
  /** Erased customers that are not in that table. */
  absent: 0,
  revoked: 0,
  /** The ids of applications that were disabled now, including removed ones. */
  disabled: [] as string[],
  /** The ids of those that had been removed. */
  removed: [] as string[],
})
type Repeated = ReturnType<typeof nothingRepeated>

/** An item that was erased, revoked, disabled or removed. */
interface Found {
  readonly pk: string
  readonly sk: string
  readonly erased?: string
  readonly revoked?: string
  readonly removed?: string
  readonly data?: { readonly removing?: object }
}

type Position = NonNullable<ScanCommandOutput['LastEvaluatedKey']>

const positionText = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

const positionIn = (text: string): Position => {
  try {
    const { pk, sk } = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (typeof pk === 'string' && typeof sk === 'string') return { pk, sk }
  } catch {
    // Falls through to the error below.
  }
  throw new UsageError('--after must be a position that an earlier run has reported')
}

const readPage = (table: string, from: Position | undefined): Promise<ScanCommandOutput> =>
  retryWhileBusy(() =>
    send<ScanCommandOutput>(
      new ScanCommand({
        TableName: table,
        FilterExpression:
          'attribute_exists(erased) OR attribute_exists(revoked) OR attribute_exists(removed) OR ' +
          'attribute_exists(#data.disabled) OR attribute_exists(#data.removing)',
        ProjectionExpression: 'pk, sk, erased, revoked, removed, #data.removing',
        ExpressionAttributeNames: { '#data': 'data' },
        ConsistentRead: true,
        ExclusiveStartKey: from,
      }),
    ),
  )

const repeatErasure = async (pk: string, erased: string, done: Repeated): Promise<void> => {
  const app = pk.slice(0, pk.indexOf('#'))
  const id = serverIdOf({ pk })
  const item = await getItem<Item>(entityKey(app, id))
  if (!item) {
    done.absent += 1
    return
  }
  requireKnownItem(customer, item)
  if ((item.erased ?? '') >= erased) {
    done.already += 1
    return
  }
  const content = erasurePlaceholders(customer.fields)
  const updated = await updateItem({ resource: customer, content, erase: true, after: erased }, item)
  done[updated ? 'erased' : 'absent'] += 1
}

const repeatRevocation = async ({ pk, sk }: Found, revoked: string, done: Repeated): Promise<void> => {
  try {
    const update = new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: 'SET revoked = :revoked',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revoked)',
      ExpressionAttributeValues: { ':revoked': revoked },
    })
    await send(update)
    done.revoked += 1
  } catch (error) {
    // The key is not in that table, or is revoked there.
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}

const repeatDisabling = async ({ pk, removed, data }: Found, done: Repeated): Promise<void> => {
  const application = await readApplication(pk).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined
    throw error
  })
  if (!application) return
  const { disabled, removing } = application.data
  // An unfinished removal already refuses the keys and is resumed here, unless it has finished in the other table.
  if (removing && removed === undefined) return
  if (!disabled && !removing) {
    await disableApplication(pk)
    done.disabled.push(pk)
  }
  if (removed !== undefined || data?.removing) done.removed.push(pk)
}

const repeat = (found: Found, done: Repeated): Promise<void> => {
  const { pk, sk, erased, revoked } = found
  if (sk === applicationKey(pk).sk) return repeatDisabling(found, done)
  if (revoked !== undefined) return repeatRevocation(found, revoked, done)
  return repeatErasure(pk, erased!, done)
}

/**
 * Repeats in the configured table what happened in `table`: erasures of customers, revocations of keys, disabling and removals
 * of applications. A restored table lacks those after its point in time. May be run again, or from a position. Throws UsageError
 * for a wrong position, CommandError with the position to continue from.
 */
export const reapplyErasures = async (
  table: string,
  { after, show = () => undefined }: { after?: string | undefined; show?: ShowProgress } = {},
) => {
  const done = nothingRepeated()
  let from = after === undefined ? undefined : positionIn(after)
  try {
    do {
      const page = await readPage(table, from)
      for (const found of (page.Items ?? []) as Found[]) await retryWhileBusy(() => repeat(found, done))
      from = page.LastEvaluatedKey
      if (from)
        show(
          `${done.erased} erased, ${done.revoked} revoked; --after ${positionText(from)} continues from here`,
        )
    } while (from)
  } catch (error) {
    const resumeOption = from ? ` with --after ${positionText(from)}` : ''
    throw new CommandError(
      `${asCommandError(error).message}; so far ${JSON.stringify(done)}; run it again${resumeOption}`,
      { cause: error },
    )
  }
  return done
}
