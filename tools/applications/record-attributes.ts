import type { Spread } from '../../shared/contract/call.ts'
import type { ApiKeyItem } from '../../shared/store/credentials.ts'
import type { ApplicationItem, RemovalState, Tombstone } from './items.ts'
import { type AttributeRequirements, requireKnownAttributes } from './known-attributes.ts'

/** `nested` is by the name of the attribute that contains the object. */
type RecordAttributes = {
  readonly application: AttributeRequirements<ApplicationItem>
  readonly tombstone: AttributeRequirements<Tombstone>
  readonly key: AttributeRequirements<ApiKeyItem>
  readonly data: AttributeRequirements<ApplicationItem['data']>
  readonly removing: AttributeRequirements<RemovalState>
  readonly spread: AttributeRequirements<Spread>
}

const recordAttributes: RecordAttributes = {
  application: {
    pk: true,
    sk: true,
    list: true,
    order: true,
    cursor_secret: true,
    revision: true,
    data: true,
  },
  tombstone: { pk: true, sk: true, removed: true, restore_to: true, shards: true },
  key: {
    pk: true,
    sk: true,
    list: true,
    order: true,
    created: true,
    ends_with: true,
    cursor_secret: true,
    expires: false,
    revoked: false,
    application_name: false,
    disabled: false,
    spread: false,
  },
  data: { name: true, created: true, disabled: false, removing: false, spread: false },
  removing: { since: true, restore_to: false },
  spread: { shards: true, before: true },
}

/** Throws Error unless a record has the known attributes: another version wrote it. */
export const requireKnownRecord = <Item extends object>(
  kind: 'application' | 'tombstone' | 'key' | 'data',
  appId: string,
  record: Item,
): Item => {
  requireKnownAttributes(`a record of application ${appId}`, record, recordAttributes[kind], recordAttributes)
  return record
}
