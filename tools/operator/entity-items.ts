import type { Resource } from '../../shared/contract/resource.ts'
import { MARK } from '../../shared/store/changes.ts'
import type { Item } from '../../shared/store/items.ts'
import { idOf } from '../../shared/store/keys.ts'
import { type Attributes, requireUnderstood } from '../applications/understood.ts'

const attributes: Attributes<Item> = {
  pk: true,
  sk: true,
  list: true,
  order: true,
  under: false,
  changed: false,
  external_id: true,
  version: false,
  data: true,
  extra: false,
  first_data: false,
  first_extra: false,
  erased: false,
  stamp: false,
  stamp_1: false,
  stamp_2: false,
  stamp_3: false,
}

/** Throws Error for an entity's item of another version, in which a command could overlook data. */
export const requireUnderstoodItem = ({ name, prefix, fields }: Resource, item: Item): void => {
  if (!idOf(item).startsWith(`${prefix}_`)) throw new Error(`${item.pk} is no ${name}`)
  const content = Object.fromEntries([...Object.keys(fields), MARK].map((field) => [field, false]))
  const nested = { data: content, extra: content, first_data: content, first_extra: content }
  requireUnderstood(item.pk, item, attributes, nested)
}
