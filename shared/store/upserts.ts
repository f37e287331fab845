import type { Call, WithIncludes } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Resource } from '../contract/resource.ts'
import { itemOf, putOrFind, requireSameErasure } from './entities.ts'
import { differences, entityOf, type Item } from './items.ts'
import { creationOf } from './operations.ts'
import { unavailable } from './send.ts'
import { updateItem } from './updates.ts'

/**
 * Records an entity, or changes the existing one with its id to what this create would have recorded. Writes nothing for
 * equal values. Throws ApiError `invalid`, or `conflict` if the entity is anonymised: no attempt undoes an erasure.
 */
export const createOrUpdate = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<WithIncludes<R>> => {
  const creation = await creationOf(call)
  const { resource, id, content } = creation
  const item = itemOf(creation)
  const existing = await putOrFind(item)
  if (!existing) return { entity: entityOf(resource, item), outcome: 'created' }
  const entity = entityOf(resource, existing)
  if (existing.order === item.order) return { entity, outcome: 'created' }
  requireSameErasure(creation, existing)
  if (differences(resource, content, existing).length === 0) return { entity, outcome: 'unchanged' }
  const requireApplicable = (latest: Item) => requireSameErasure(creation, latest)
  const updated = await updateItem({ resource, content, requireApplicable }, existing)
  if (!updated) throw unavailable(new Error(`${id} was removed while it was updated`))
  return { entity: entityOf(resource, updated), outcome: 'updated' }
}
