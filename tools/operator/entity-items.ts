import type { Resource } from '../../shared/contract/resource.ts'
import { MARK } from '../../shared/store/changes.ts'
import type { Item } from '../../shared/store/items.ts'
import { serverIdOf } from '../../shared/store/keys.ts'
import { type Attributes, requireKnownAttributes } from '../applications/known-attributes.ts'

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

/** Throws Error unless an item is an entity of a resource with the known attributes: another version wrote it. */
export const requireKnownItem = ({ name, prefix, fields }: Resource, item: Item): void => {
  if (!serverIdOf(item).startsWith(`${prefix}_`)) throw new Error(`${item.pk} is no ${name}`)
  const content = Object.fromEntries([...Object.keys(fields), MARK].map((field) => [field, false]))
  const nested = { data: content, extra: content, first_data: content, first_extra: content }
  requireKnownAttributes(item.pk, item, attributes, nested)
}
