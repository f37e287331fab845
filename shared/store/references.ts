import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import { readItems } from './batch.ts'
import { entityOf } from './items.ts'

/** A field of a body that names another entity by either id (I3). */
export interface Reference<R extends Resource = Resource> {
  readonly field: string
  readonly resource: R
  readonly id: string | number
}

/** The detail for a reference that names nothing (I5). */
export const unknownReference = ({ field, resource, id }: Reference): string =>
  `${field} must be the id of an existing ${resource.name}; none has ${JSON.stringify(String(id))}`

type Found = Map<Reference, Entity | undefined>

/** What references name, undefined where nothing has the id; one batch for all of them. */
export const findReferences = async (app: string, references: readonly Reference[]): Promise<Found> => {
  const candidates = references.map(({ resource, id }) => candidateIds(app, resource.prefix, id))
  const items = await readItems(app, candidates.flat())
  return new Map(
    references.map((reference, index) => {
      const id = candidates[index]?.find((candidate) => items.has(candidate))
      return [reference, id === undefined ? undefined : entityOf(reference.resource, items.get(id)!)]
    }),
  )
}

/** The entity that one field names; throws ApiError `invalid` naming field and value (I5). */
export const requireReference = async <R extends Resource>(
  app: string,
  reference: Reference<R>,
): Promise<Entity<R>> => {
  const entity = (await findReferences(app, [reference])).get(reference)
  if (!entity) throw new ApiError('invalid', unknownReference(reference))
  return entity as Entity<R>
}
