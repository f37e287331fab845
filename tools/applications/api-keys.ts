import { UpdateCommand, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb'
import type { ApiKeyItem } from '../../shared/store/credentials.ts'
import {
  type Credentials,
  hashOf,
  isReadOnlyKey,
  keyIdOf,
  newApiKey,
} from '../../shared/store/credentials.ts'
import { API_KEYS, apiKeyKey, hashIn } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { currentService, tableName } from '../../shared/store/service.ts'
import { LIST_INDEX } from '../../shared/store/table.ts'
import { NotFound, queryAll, readApiKeys, readApplication, readChangeable } from './application-records.ts'
import { newApiKeyItem, newRevision, timestampText } from './items.ts'
import { requireKnownRecord } from './record-attributes.ts'
import { putNewRecord, putUnlessChanged, writeTogether } from './record-writes.ts'

/** Shown only once, since only its hash is stored. */
export interface NewApiKey extends Credentials {
  readonly key_id: string
  readonly expires: string | null
}

const apiKeyIdOf = ({ sk }: ApiKeyItem): string => keyIdOf(hashIn(sk))

/** As commands print it. Times are RFC 3339. */
const keyDescription = (item: ApiKeyItem) => ({
  key_id: apiKeyIdOf(item),
  created: item.created,
  ends_with: item.ends_with,
  read_only: isReadOnlyKey(item.ends_with),
  expires: item.expires ?? null,
  revoked: item.revoked ?? null,
})

export const newKeyDescription = (item: ApiKeyItem, api_key: string): NewApiKey => ({
  app_id: item.pk,
  api_key,
  key_id: apiKeyIdOf(item),
  expires: item.expires ?? null,
})

/**
 * Expires after `lifetime` milliseconds if given. The other keys keep working. The new key of a disabled
 * application is disabled. Throws the errors of `readChangeable`, and ChangedMeanwhile.
 */
export const addApiKey = async (
  appId: string,
  { lifetime, apiKey = newApiKey() }: { lifetime?: number | undefined; apiKey?: string } = {},
): Promise<NewApiKey> => {
  const application = await readChangeable(appId)
  const item = newApiKeyItem(application, apiKey, { now: currentService().clock.now(), lifetime })
  // Fails if the application has changed since it was read, since the key has copies of its attributes. The
  // new revision makes other commands that have read the keys fail.
  await writeTogether([
    putNewRecord(item),
    putUnlessChanged(application, { ...application, revision: newRevision() }),
  ])
  return newKeyDescription(item, apiKey)
}

/** Oldest first, including revoked and expired ones. Throws NotFound. */
export const listApiKeys = async (appId: string) => {
  await readApplication(appId)
  const keys = (await readApiKeys(appId)).map(keyDescription)
  return keys.sort((first, second) => (first.created < second.created ? -1 : 1))
}

/** The key stops working within 60 seconds. Idempotent. Throws NotFound for an unknown application or key. */
export const revokeApiKey = async (appId: string, keyId: string) => {
  await readApplication(appId)
  const item = (await readApiKeys(appId)).find((key) => apiKeyIdOf(key) === keyId)
  if (!item)
    throw new NotFound(`application ${appId} has no key "${keyId}"; "apps keys --app ${appId}" shows them`)
  const { Attributes } = await send<UpdateCommandOutput>(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk: item.pk, sk: item.sk },
      UpdateExpression: 'SET revoked = if_not_exists(revoked, :now)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': timestampText(currentService().clock.now()) },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return keyDescription(Attributes as ApiKeyItem)
}

/** Throws NotFound. */
export const findApiKey = async (apiKey: string) => {
  const hash = hashOf(apiKey)
  const [entry] = await queryAll<ApiKeyItem>({
    IndexName: LIST_INDEX,
    KeyConditionExpression: '#list = :list AND #order = :hash',
    ExpressionAttributeNames: { '#list': 'list', '#order': 'order' },
    ExpressionAttributeValues: { ':list': API_KEYS, ':hash': hash },
  })
  if (!entry) throw new NotFound('no application has this key')
  const { pk: app_id, data } = await readApplication(entry.pk)
  const item = await getItem<ApiKeyItem>(apiKeyKey(app_id, hash))
  if (!item) throw new NotFound('no application has this key')
  return {
    app_id,
    name: data.name,
    disabled: data.disabled ?? null,
    ...keyDescription(requireKnownRecord('key', app_id, item)),
  }
}
