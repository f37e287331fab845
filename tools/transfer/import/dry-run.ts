import type { DatabaseSync } from 'node:sqlite'
import { BillingApiError } from '../../../client/error.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { descriptiveFieldNames, erasurePlaceholders, storedContent } from '../../../shared/contract/field.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import { ApiError } from '../../../shared/errors.ts'
import { parseBody } from '../../../shared/http/body.ts'
import { errorResponse } from '../../../shared/http/responses.ts'
import { validContent } from '../../../shared/http/validate.ts'
import { serverIdFor } from '../../../shared/ids.ts'
import {
  ERASED,
  idConflictError,
  NOT_ERASED,
  otherValuesOf,
  UNUSED_OR_SAME,
} from '../../../shared/store/entities.ts'
import { differences, packedContent } from '../../../shared/store/items.ts'
import { type Resolved, resolveReferences } from '../../../shared/store/references.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { bodyOf, type Outcome, type Result, type Row } from '../row.ts'
import { type ExistingEntity, PredictedEntities } from './predicted-entities.ts'
import type { ImportService } from './service.ts'

/** The names of the fields that a create with `on_conflict=update` can change. */
const updatableNamesOf = ({ fields, isMutable }: Resource): string[] => {
  const descriptive = descriptiveFieldNames(fields)
  if (descriptive.length > 0) return descriptive
  return isMutable ? Object.keys(fields) : []
}

/**
 * Whether a recorded customer may be erased. Responses do not show who is: a customer who is not erased may have the values of an
 * erased one, too.
 */
const mayBeErased = ({ fields }: Resource, content: Values): boolean => {
  const placeholders = Object.entries(erasurePlaceholders(fields))
  // Only customers have personal data.
  if (placeholders.length === 0) return false
  return placeholders.every(([name, placeholder]) => (content[name] ?? placeholder) === placeholder)
}

/** A create, and the id that the service gives to its entity. */
interface PredictedCreate {
  readonly row: Row
  readonly resource: Resource
  readonly id: string
  readonly externalId: string
  readonly content: Values
}

/** Of a row whose entity exists. Throws ApiError if the row would be refused. */
const outcomeForExisting = (create: PredictedCreate, entity: ExistingEntity): Outcome => {
  const { row, resource, content } = create
  const conflict = (rule: string, reason: string): ApiError => idConflictError(create, create, rule, reason)
  if (!entity.isComplete && mayBeErased(resource, entity.content)) return 'unknown'
  if (Boolean(row.isErased) !== Boolean(entity.isErased))
    throw conflict('unused', row.isErased ? NOT_ERASED : ERASED)
  const differing = differences(resource, content, packedContent(resource, entity.content)).filter(
    (name) => name in entity.content,
  )
  if (differing.length === 0) return 'unchanged'
  const updatableNames = updatableNamesOf(resource)
  const canUpdate = differing.every((name) => updatableNames.includes(name))
  if (row.isUpdate && canUpdate) return 'updated'
  // If an update has changed a recorded entity, the row may have the values of its create.
  if (canUpdate && !entity.isComplete) return 'unknown'
  throw conflict(UNUSED_OR_SAME, otherValuesOf(differing))
}

/** The ids and references of the entities that a create starts, such as an invoice's subscription. */
const startedEntities = ({ resource }: Endpoint, { body, referenced }: Resolved): [string, Values][] => {
  const started: [string, Values][] = []
  for (const [field, { reference }] of Object.entries(resource.fields)) {
    if (!reference?.startsEntity || referenced.has(field)) continue
    const { matching = '' } = reference
    started.push([body[field] as string, { [matching]: body[matching] }])
  }
  return started
}

/** Throws an error of the service's code as the client throws it; any other error unchanged. */
const throwAsClientError = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const { statusCode, body } = errorResponse(error, 'dry-run')
  throw new BillingApiError(error.message, { status: statusCode, errors: JSON.parse(body).errors })
}

const UNKNOWN_OUTCOME =
  'The outcome is not known before the row is sent, because it depends on data that responses do not show.'

/**
 * A service that sends only GET requests and responds like `service` in an import that is not a dry run. It validates rows like the
 * service, and predicts their outcomes from what is recorded and from what the earlier rows would have recorded.
 */
export const dryRun = (service: ImportService, database: DatabaseSync): ImportService => {
  const { appId: app } = service
  const entities = new PredictedEntities(service, database)

  const create = async (row: Row): Promise<Result> => {
    const endpoint = createEndpoints.get(row.type as string)!
    const { resource } = endpoint
    const { fields, prefix } = resource
    const { isErased } = row
    const body = validContent(endpoint, parseBody(bodyOf(row)), isErased ? { erased: true } : {})
    const id = serverIdFor(app, prefix, String(body.id))
    // The row's own entity is read first, so that a later row that refers to the entity finds it.
    await entities.read(id)
    const resolved = await resolveReferences({ app, endpoint, body }, (appId, ids) =>
      entities.readItems(appId, ids),
    )
    const externalId = String(body.id)
    const sent = storedContent(fields, resolved.body, id)
    const content = isErased ? { ...sent, ...erasurePlaceholders(fields) } : sent
    const entity = await entities.read(id)
    if (!entity) {
      for (const [startedId, references] of startedEntities(endpoint, resolved))
        entities.set(startedId, { externalId: '', content: references })
      entities.set(id, { externalId, content, isErased, isComplete: true })
      return { outcome: 'created', server_id: id, errors: [] }
    }
    const outcome = outcomeForExisting({ row, resource, id, externalId, content }, entity)
    if (outcome === 'unknown') return { outcome, server_id: id, errors: [UNKNOWN_OUTCOME] }
    if (row.isUpdate) entities.set(id, { ...entity, content, isComplete: true })
    return { outcome, server_id: id, errors: [] }
  }

  return {
    ...service,
    isRecorded: async (type, id) => {
      const { prefix } = createEndpoints.get(type)!.resource
      return (await entities.read(serverIdFor(app, prefix, id))) !== null
    },
    create: (row) => create(row).catch(throwAsClientError),
  }
}
