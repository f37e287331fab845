import { erasurePlaceholders } from '../../../shared/contract/field.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import type { ApiError } from '../../../shared/errors.ts'
import { ERASED, idConflictError, otherValuesOf, UNUSED_OR_SAME } from '../../../shared/store/entities.ts'
import { differences, packedContent } from '../../../shared/store/items.ts'
import type { PredictedEntity } from './predicted-entities.ts'
import type { Row } from './row.ts'
import type { Outcome } from './row-result.ts'

/** A row, and what its create would store. */
export interface PredictedCreate {
  readonly row: Row
  readonly resource: Resource
  /** The service's id. */
  readonly id: string
  readonly externalId: string
  readonly content: Values
  readonly contentHash: string
  /** The hash of the fields that no update can change. */
  readonly fixedHash: string
  /** The names of the fields that an update can change. */
  readonly updatableNames: readonly string[]
}

const conflict = ({ resource, externalId, id }: PredictedCreate, rule: string, reason: string): ApiError =>
  idConflictError({ resource, externalId }, { id }, rule, reason)

/** Returns the outcome of a row whose entity an earlier row would have created. Throws ApiError if the row would be refused. */
const outcomeAfterRow = (create: PredictedCreate, entity: PredictedEntity): Outcome => {
  const { row, fixedHash } = create
  if (row.isUpdate && entity.isErased) throw conflict(create, 'unused', ERASED)
  if (!row.isUpdate || entity.fixedHash !== fixedHash)
    throw conflict(create, UNUSED_OR_SAME, 'created with other values')
  return 'updated'
}

/**
 * Returns whether a recorded customer may be erased. Responses do not show who is: a customer who is not erased may have the
 * values of an erased one, too.
 */
const mayBeErased = ({ fields }: Resource, content: Values): boolean => {
  const placeholders = Object.entries(erasurePlaceholders(fields))
  // Only customers have personal data.
  if (placeholders.length === 0) return false
  return placeholders.every(([name, placeholder]) => (content[name] ?? placeholder) === placeholder)
}

/** Returns the outcome of a row whose id is recorded, as far as responses show it. Throws ApiError if the row would be refused. */
const outcomeAfterRecording = (create: PredictedCreate, entity: PredictedEntity): Outcome => {
  const { row, resource, updatableNames } = create
  const { content = {}, contentHash } = entity
  if (mayBeErased(resource, content)) return 'unknown'
  const differing = differences(resource, create.content, packedContent(resource, content)).filter(
    (name) => name in content,
  )
  const canUpdate = differing.every((name) => updatableNames.includes(name))
  if (row.isErased || !canUpdate) throw conflict(create, UNUSED_OR_SAME, otherValuesOf(differing))
  if (row.isUpdate) return contentHash === undefined && differing.length === 0 ? 'unchanged' : 'updated'
  // If an update has changed the entity, the row may have the values of its create.
  return differing.length === 0 ? 'unchanged' : 'unknown'
}

/**
 * Returns the outcome of a row whose entity exists: it is recorded, or an earlier row would have created it. Throws ApiError if the
 * row would be refused.
 */
export const outcomeForExisting = (create: PredictedCreate, entity: PredictedEntity): Outcome => {
  if (entity.contentHash === create.contentHash) return 'unchanged'
  return entity.state === 'new' ? outcomeAfterRow(create, entity) : outcomeAfterRecording(create, entity)
}
