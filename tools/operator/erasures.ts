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

const newRepetitionCounts = () => ({
  erased: 0,
  /** Already erased in the restored table, at the same time or later. */
  already: 0,
  /** Erased, and not in the restored table. */
  absent: 0,
  revoked: 0,
  /** Ids of applications, including removed ones. */
  disabled: [] as string[],
  /** Ids of applications. */
  removed: [] as string[],
})
type RepetitionCounts = ReturnType<typeof newRepetitionCounts>

interface ChangedItem {
  readonly pk: string
  readonly sk: string
  readonly erased?: string
  readonly revoked?: string
  readonly removed?: string
  readonly data?: { readonly removing?: object }
}

type ScanPosition = NonNullable<ScanCommandOutput['LastEvaluatedKey']>

/** As the user passes it to --after. */
const positionText = (position: ScanPosition): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** Throws UsageError. */
const parsePosition = (text: string): ScanPosition => {
  try {
    const { pk, sk } = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (typeof pk === 'string' && typeof sk === 'string') return { pk, sk }
  } catch {
    // Falls through to the error below.
  }
  throw new UsageError('--after must be a position that an earlier run has reported')
}

const readPage = (table: string, start: ScanPosition | undefined): Promise<ScanCommandOutput> =>
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
        ExclusiveStartKey: start,
      }),
    ),
  )

/** Unless they are absent there or have been erased later. */
const repeatErasure = async (pk: string, erased: string, counts: RepetitionCounts): Promise<void> => {
  const app = pk.slice(0, pk.indexOf('#'))
  const id = serverIdOf({ pk })
  const item = await getItem<Item>(entityKey(app, id))
  if (!item) {
    counts.absent += 1
    return
  }
  requireKnownItem(customer, item)
  if ((item.erased ?? '') >= erased) {
    counts.already += 1
    return
  }
  const content = erasurePlaceholders(customer.fields)
  const updated = await updateItem({ resource: customer, content, erase: true, after: erased }, item)
  if (updated) counts.erased += 1
  else counts.absent += 1
}

const repeatRevocation = async (
  { pk, sk }: ChangedItem,
  revoked: string,
  counts: RepetitionCounts,
): Promise<void> => {
  try {
    const update = new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: 'SET revoked = :revoked',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revoked)',
      ExpressionAttributeValues: { ':revoked': revoked },
    })
    await send(update)
    counts.revoked += 1
  } catch (error) {
    // The key is not in the restored table, or is already revoked there.
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}

const repeatDisabling = async (
  { pk, removed, data }: ChangedItem,
  counts: RepetitionCounts,
): Promise<void> => {
  const application = await readApplication(pk).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined
    throw error
  })
  if (!application) return
  const { disabled, removing } = application.data
  // An unfinished removal here already refuses the keys and will be resumed, unless it has finished in
  // `table`.
  if (removing && removed === undefined) return
  if (!disabled && !removing) {
    await disableApplication(pk)
    counts.disabled.push(pk)
  }
  if (removed !== undefined || data?.removing) counts.removed.push(pk)
}

const repeatChange = (item: ChangedItem, counts: RepetitionCounts): Promise<void> => {
  const { pk, sk, erased, revoked } = item
  if (sk === applicationKey(pk).sk) return repeatDisabling(item, counts)
  if (revoked !== undefined) return repeatRevocation(item, revoked, counts)
  return repeatErasure(pk, erased!, counts)
}

/**
 * Repeats in the configured table, which was restored, the changes that `table` shows: erasures of customers,
 * revocations of keys, disabling and removals of applications. A restored table lacks the changes after its
 * point in time. Can be run again, or from a position. Returns counts. Throws UsageError for a wrong
 * position, and CommandError with the position to continue from.
 */
export const reapplyErasures = async (
  table: string,
  { after, show = () => undefined }: { after?: string | undefined; show?: ShowProgress } = {},
) => {
  const counts = newRepetitionCounts()
  let start = after === undefined ? undefined : parsePosition(after)
  try {
    do {
      const page = await readPage(table, start)
      for (const item of (page.Items ?? []) as ChangedItem[])
        await retryWhileBusy(() => repeatChange(item, counts))
      start = page.LastEvaluatedKey
      if (start)
        show(
          `${counts.erased} erased, ${counts.revoked} revoked; --after ${positionText(start)} continues from here`,
        )
    } while (start)
  } catch (error) {
    const resumeOption = start ? ` with --after ${positionText(start)}` : ''
    throw new CommandError(
      `${asCommandError(error).message}; so far ${JSON.stringify(counts)}; run it again${resumeOption}`,
      { cause: error },
    )
  }
  return counts
}
