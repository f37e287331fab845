import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { BillingApiError } from '../../../client/error.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { descriptiveFieldNames, erasurePlaceholders, storedContent } from '../../../shared/contract/field.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import { isRecord, type Values } from '../../../shared/contract/schema.ts'
import { ApiError } from '../../../shared/errors.ts'
import { parseBody } from '../../../shared/http/body.ts'
import { errorResponse } from '../../../shared/http/responses.ts'
import { validContent } from '../../../shared/http/validate.ts'
import { serverIdFor } from '../../../shared/ids.ts'
import { ERASED, idConflictError, otherValuesOf, UNUSED_OR_SAME } from '../../../shared/store/entities.ts'
import { differences, packedContent } from '../../../shared/store/items.ts'
import { type Resolved, resolveReferences } from '../../../shared/store/references.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { bodyOf, type Outcome, type Result, type Row } from '../row.ts'
import { PredictedEntities, type PredictedEntity } from './predicted-entities.ts'
import type { Service } from './service.ts'

/** A row, and what its create would store. */
interface PredictedCreate {
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

const sortKeys = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/** Does not depend on the order of keys. */
const hashOf = (content: Values): string =>
  createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('base64url')

/** The names of the fields that a create with `on_conflict=update` can change. */
const updatableNamesOf = ({ fields, isMutable }: Resource): string[] => {
  const descriptive = descriptiveFieldNames(fields)
  if (descriptive.length > 0) return descriptive
  return isMutable ? Object.keys(fields) : []
}

const predictCreate = (row: Row, resource: Resource, body: Values, id: string): PredictedCreate => {
  const { fields } = resource
  const { isErased } = row
  const sent = storedContent(fields, body, id)
  const content = isErased ? { ...sent, ...erasurePlaceholders(fields) } : sent
  const updatableNames = updatableNamesOf(resource)
  const fixed = Object.entries(content).filter(([name]) => !updatableNames.includes(name))
  return {
    row,
    resource,
    id,
    externalId: String(body.id),
    content,
    contentHash: hashOf({ ...content, isErased }),
    fixedHash: hashOf(Object.fromEntries(fixed)),
    updatableNames,
  }
}

const conflict = ({ resource, externalId, id }: PredictedCreate, rule: string, reason: string): ApiError =>
  idConflictError({ resource, externalId }, { id }, rule, reason)

/** Of a row whose entity an earlier row would have created. Throws ApiError if the row would be refused. */
const outcomeAfterRow = (create: PredictedCreate, entity: PredictedEntity): Outcome => {
  const { row, fixedHash } = create
  if (row.isUpdate && entity.isErased) throw conflict(create, 'unused', ERASED)
  if (!row.isUpdate || entity.fixedHash !== fixedHash)
    throw conflict(create, UNUSED_OR_SAME, 'created with other values')
  return 'updated'
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

/** Of a row whose id is recorded, as far as responses show it. Throws ApiError if the row would be refused. */
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

const outcomeForExisting = (create: PredictedCreate, entity: PredictedEntity): Outcome => {
  if (entity.contentHash === create.contentHash) return 'unchanged'
  return entity.state === 'new' ? outcomeAfterRow(create, entity) : outcomeAfterRecording(create, entity)
}

/** The ids and references of the entities that a create starts, such as an invoice's subscription. */
const startedEntities = ({ resource }: Endpoint, { body, found }: Resolved): [string, Values][] => {
  const started: [string, Values][] = []
  for (const [field, { reference }] of Object.entries(resource.fields)) {
    if (!reference?.startsEntity || found.has(field)) continue
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
export const dryRun = (service: Service, database: DatabaseSync): Service => {
  const { appId: app } = service
  const entities = new PredictedEntities(service, database)

  const create = async (row: Row): Promise<Result> => {
    const endpoint = createEndpoints.get(row.type as string)!
    const { resource } = endpoint
    const body = validContent(endpoint, parseBody(bodyOf(row)), row.isErased ? { erased: true } : {})
    const id = serverIdFor(app, resource.prefix, String(body.id))
    // The row's own entity is read first, so that a later row that refers to the entity finds it.
    await entities.read(id)
    const resolved = await resolveReferences({ app, endpoint, body }, (appId, ids) =>
      entities.readItems(appId, ids),
    )
    const predicted = predictCreate(row, resource, resolved.body, id)
    const { externalId, contentHash, fixedHash } = predicted
    const entity = entities.get(id)!
    if (entity.state === 'absent') {
      entities.set(id, { state: 'new', externalId, contentHash, fixedHash, isErased: row.isErased })
      for (const [startedId, content] of startedEntities(endpoint, resolved))
        entities.set(startedId, { state: 'new', content })
      return { outcome: 'created', server_id: id, errors: [] }
    }
    const outcome = outcomeForExisting(predicted, entity)
    if (outcome === 'unknown') return { outcome, server_id: id, errors: [UNKNOWN_OUTCOME] }
    if (row.isUpdate) entities.set(id, { ...entity, contentHash })
    return { outcome, server_id: id, errors: [] }
  }

  return {
    ...service,
    isRecorded: async (type, id) => {
      const { prefix } = createEndpoints.get(type)!.resource
      return (await entities.read(serverIdFor(app, prefix, id))).state !== 'absent'
    },
    create: (row) => create(row).catch(throwAsClientError),
  }
}
