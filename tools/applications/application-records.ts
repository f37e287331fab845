import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import type { ApiKeyItem } from '../../shared/store/credentials.ts'
import { isApplicationId } from '../../shared/store/credentials.ts'
import { API_KEYS_PREFIX, applicationKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { tableName } from '../../shared/store/service.ts'
import type { ApplicationItem, Tombstone } from './items.ts'
import { requireKnownRecord } from './record-attributes.ts'

export class NotFound extends Error {}

/** From all pages. */
export const queryAll = async <Item>(query: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> => {
  const items: Item[] = []
  let startKey: QueryCommandInput['ExclusiveStartKey']
  do {
    const response = await send<QueryCommandOutput>(
      new QueryCommand({ ...query, TableName: tableName(), ExclusiveStartKey: startKey }),
    )
    items.push(...((response.Items ?? []) as Item[]))
    startKey = response.LastEvaluatedKey
  } while (startKey)
  return items
}

/** The tombstone of a removed application. Throws NotFound. */
export const readRecord = async (appId: string): Promise<ApplicationItem | Tombstone> => {
  // A text that is not an id may be a key. It is not sent to the table, whose logs would contain it.
  const item = isApplicationId(appId)
    ? await getItem<ApplicationItem | Tombstone>(applicationKey(appId))
    : undefined
  if (!item) throw new NotFound(`no application has the id "${appId}"; "apps list" shows them`)
  return requireKnownRecord('removed' in item ? 'tombstone' : 'application', appId, item)
}

/** Throws NotFound, also for a removed application. */
export const readApplication = async (appId: string): Promise<ApplicationItem> => {
  const record = await readRecord(appId)
  if ('removed' in record) throw new NotFound(`application ${appId} was removed at ${record.removed}`)
  return record
}

/** Throws NotFound, or Error while the application is being removed. */
export const readChangeable = async (appId: string): Promise<ApplicationItem> => {
  const application = await readApplication(appId)
  if (!application.data.removing) return application
  throw new Error(
    `application ${appId} is being removed, and its keys are refused; if the removal was interrupted, run "apps remove" again`,
  )
}

export const readApiKeys = async (appId: string): Promise<ApiKeyItem[]> => {
  const items = await queryAll<ApiKeyItem>({
    KeyConditionExpression: 'pk = :app AND begins_with(sk, :keys)',
    ExpressionAttributeValues: { ':app': appId, ':keys': API_KEYS_PREFIX },
    ConsistentRead: true,
  })
  return items.map((item) => requireKnownRecord('key', appId, item))
}
