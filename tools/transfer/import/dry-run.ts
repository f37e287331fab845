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
import { type Resolved, resolveReferences } from '../../../shared/store/references.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { PredictedEntities } from './predicted-entities.ts'
import { outcomeForExisting, type PredictedCreate } from './predicted-outcome.ts'
import type { Row } from './row.ts'
import type { RowResult } from './row-result.ts'
import type { Service } from './service.ts'

const sortKeys = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/** Returns a hash of content, which does not depend on the order of keys. */
const hashOf = (content: Values): string =>
  createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('base64url')

/** Returns the names of the fields that a create with `on_conflict=update` can change. */
const updatableNamesOf = ({ fields, isMutable }: Resource): string[] => {
  const descriptive = descriptiveFieldNames(fields)
  if (descriptive.length > 0) return descriptive
  return isMutable ? Object.keys(fields) : []
}

/** Parses and validates the body of a row like the service. Throws ApiError. */
const validBody = (endpoint: Endpoint, { body, isErased }: Row): Values =>
  validContent(endpoint, parseBody(body), isErased ? { erased: true } : {})

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

/** Returns the ids and references of the entities that a create starts, such as an invoice's subscription. */
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
 * Returns a service that sends only GET requests and responds like `service` in an import that is not a dry run. It validates rows
 * like the service, and predicts their outcomes from what is recorded and from what the earlier rows would have recorded.
 */
export const dryRun = (service: Service, database: DatabaseSync): Service => {
  const { appId: app } = service
  const entities = new PredictedEntities(service, database)

  const create = async (row: Row): Promise<RowResult> => {
    const endpoint = createEndpoints.get(row.type as string)!
    const { resource } = endpoint
    const body = validBody(endpoint, row)
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
