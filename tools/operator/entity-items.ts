import { withArticle } from '../../shared/contract/endpoint.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { MARK } from '../../shared/store/changes.ts'
import type { Item } from '../../shared/store/items.ts'
import { serverIdOf } from '../../shared/store/keys.ts'
import { type AttributeRequirements, requireKnownAttributes } from '../applications/known-attributes.ts'

/** The attributes of every entity's item. */
const itemAttributes: AttributeRequirements<Item> = {
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

/** Throws Error for attributes that another version wrote. */
export const requireKnownItem = (resource: Resource, item: Item): void => {
  const { prefix, fields } = resource
  if (!serverIdOf(item).startsWith(`${prefix}_`))
    throw new Error(`${item.pk} is not ${withArticle(resource)}`)
  const contentAttributes = Object.fromEntries([...Object.keys(fields), MARK].map((field) => [field, false]))
  const nested = {
    data: contentAttributes,
    extra: contentAttributes,
    first_data: contentAttributes,
    first_extra: contentAttributes,
  }
  requireKnownAttributes(item.pk, item, itemAttributes, nested)
}
