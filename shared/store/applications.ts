import { randomBytes } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import {
  GetCommand,
  type GetCommandOutput,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { now, recordingInstant } from '../clock.ts'
import { config } from '../config.ts'
import { randomText } from '../ids.ts'
import { hashOf, newApiKey } from './credentials.ts'
import { API_KEYS_PREFIX, APPLICATIONS, apiKeyKey, applicationKey, orderAt } from './keys.ts'
import { send } from './send.ts'
import { LIST_INDEX } from './table.ts'

/** What the operator does with applications and their keys; never on a request's path. */

/** Shown once: the key itself is not stored. */
export interface Credentials {
  readonly app_id: string
  readonly api_key: string
}

export interface ApplicationRecord {
  readonly app_id: string
  readonly name: string
  readonly created: string
}

export interface ApiKeyRecord {
  readonly key_id: string
  readonly created: string
  /** The key's last characters, by which its holder knows it. */
  readonly ends_with: string
  readonly revoked: string | null
}

/** A fault of the operator's input, told in one line. */
export class UnknownApplication extends Error {}

const timestamp = () => new Date(now()).toISOString()

const keyItem = (appId: string, apiKey: string, cursorSecret: string) => {
  const hash = hashOf(apiKey)
  return {
    ...apiKeyKey(appId, hash),
    key_id: `key_${hash.slice(0, 16)}`,
    created: timestamp(),
    ends_with: apiKey.slice(-4),
    cursor_secret: cursorSecret,
  }
}

const everything = async (
  query: Omit<QueryCommandInput, 'TableName'>,
): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = []
  let from: QueryCommandInput['ExclusiveStartKey']
  do {
    const answer = await send<QueryCommandOutput>(
      new QueryCommand({ ...query, TableName: config().table, ExclusiveStartKey: from }),
    )
    items.push(...(answer.Items ?? []))
    from = answer.LastEvaluatedKey
  } while (from)
  return items
}

/** What an application is known by. */
export interface Identity extends Credentials {
  readonly cursor_secret: string
}

const newIdentity = (): Identity => ({
  app_id: `app_${randomText(16)}`,
  api_key: newApiKey(),
  cursor_secret: randomBytes(32).toString('base64'),
})

/** Creates an application with its first key: a new identity, except in the test double, which is known to everyone. */
export const createApplication = async (
  name: string,
  { app_id, api_key, cursor_secret } = newIdentity(),
): Promise<Credentials> => {
  const { table: TableName } = config()
  const record = {
    ...applicationKey(app_id),
    list: APPLICATIONS,
    order: orderAt(recordingInstant(), app_id),
    data: { name, created: timestamp() },
    cursor_secret,
  }
  const items = [record, keyItem(app_id, api_key, cursor_secret)]
  // Without a condition, which a retry after a lost answer would fail; the ids are random.
  await send(new TransactWriteCommand({ TransactItems: items.map((Item) => ({ Put: { TableName, Item } })) }))
  return { app_id, api_key }
}

/** All applications, oldest first. */
export const listApplications = async (): Promise<ApplicationRecord[]> => {
  const items = await everything({
    IndexName: LIST_INDEX,
    KeyConditionExpression: '#list = :list',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':list': APPLICATIONS },
  })
  return items.map(({ pk, data }) => {
    const { name, created } = data as { name: string; created: string }
    return { app_id: pk as string, name, created }
  })
}

const requireApplication = async (appId: string): Promise<Record<string, unknown>> => {
  const key = { TableName: config().table, Key: applicationKey(appId), ConsistentRead: true }
  const { Item } = await send<GetCommandOutput>(new GetCommand(key))
  if (!Item) throw new UnknownApplication(`no application has the id "${appId}"; "apps list" shows them`)
  return Item
}

/** Adds a key to an application; its other keys go on working. Throws UnknownApplication. */
export const addApiKey = async (appId: string): Promise<Credentials> => {
  const { cursor_secret } = await requireApplication(appId)
  const api_key = newApiKey()
  await send(
    new PutCommand({ TableName: config().table, Item: keyItem(appId, api_key, cursor_secret as string) }),
  )
  return { app_id: appId, api_key }
}

const keyItems = async (appId: string) => {
  await requireApplication(appId)
  return everything({
    KeyConditionExpression: 'pk = :app AND begins_with(sk, :keys)',
    ExpressionAttributeValues: { ':app': appId, ':keys': API_KEYS_PREFIX },
    ConsistentRead: true,
  })
}

/** The keys of an application, oldest first, revoked ones too. Throws UnknownApplication. */
export const listApiKeys = async (appId: string): Promise<ApiKeyRecord[]> =>
  (await keyItems(appId))
    .map(
      ({ key_id, created, ends_with, revoked = null }) =>
        ({ key_id, created, ends_with, revoked }) as ApiKeyRecord,
    )
    .sort((a, b) => (a.created < b.created ? -1 : 1))

/** Revokes a key: it stops working within 60 seconds. Idempotent; throws UnknownApplication for either id. */
export const revokeApiKey = async (appId: string, keyId: string): Promise<ApiKeyRecord> => {
  const item = (await keyItems(appId)).find(({ key_id }) => key_id === keyId)
  if (!item)
    throw new UnknownApplication(
      `application ${appId} has no key "${keyId}"; "apps keys --app ${appId}" shows them`,
    )
  try {
    await send(
      new UpdateCommand({
        TableName: config().table,
        Key: { pk: item.pk, sk: item.sk },
        UpdateExpression: 'SET revoked = :now',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revoked)',
        ExpressionAttributeValues: { ':now': timestamp() },
      }),
    )
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
  return (await listApiKeys(appId)).find(({ key_id }) => key_id === keyId) as ApiKeyRecord
}
