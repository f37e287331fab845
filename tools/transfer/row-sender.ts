import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { placeholdersOf } from '../../shared/contract/field.ts'
import { StartError } from '../local/settings.ts'
import { creates } from './creates.ts'
import type { Outcome, RowResult } from './options.ts'
import { errorsIn, isFinal, type RetryOptions, retrying } from './retrying.ts'
import type { Row } from './row.ts'
import type { Answer, Target } from './target.ts'

const CHANGED = 'The customer was changed since it was created, and is not anonymised.'
/** Statuses with which the service or its firewall (403) refuses a body. */
const refusals: ReadonlySet<number> = new Set([400, 403, 413, 415, 422])

type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

const entityIn = ({ resource: { name } }: Endpoint, { text }: Answer): Entity => JSON.parse(text).data[name]

const refused = (outcome: Outcome, answer: Answer): RowResult => ({
  outcome,
  server_id: null,
  errors: errorsIn(answer),
})

/** The result of a row whose create got this answer. Throws StartError for an answer that no create gets. */
const resultOf = (endpoint: Endpoint, answer: Answer, { name }: Target): RowResult => {
  const { status, headers } = answer
  if (!isFinal(answer)) return refused('failed', answer)
  if (status === 200) {
    const outcome = headers['idempotent-replayed'] === 'true' ? 'unchanged' : 'created'
    return { outcome, server_id: entityIn(endpoint, answer).id, errors: [] }
  }
  if (status === 409) return refused('conflict', answer)
  if (refusals.has(status)) return refused('invalid', answer)
  throw new StartError(`${name} answers ${status}: ${errorsIn(answer).join(' ')}`)
}

/**
 * Whether every visible field of an entity is a placeholder or what the body says. `personalToo` is false where the
 * fields that anonymisation replaces need not match the body.
 */
const matches = (
  { resource: { fields } }: Endpoint,
  body: Entity,
  entity: Entity,
  personalToo: boolean,
): boolean => {
  const placeholders = placeholdersOf(fields) as Readonly<Record<string, unknown>>
  return Object.entries(fields).every(([name, { visible, read }]) => {
    if (!visible || entity[name] === placeholders[name]) return true
    return (
      (personalToo || !(name in placeholders)) && isDeepStrictEqual(entity[name], read(body[name], entity.id))
    )
  })
}

/** Returns a function that sends a row, with retries, and returns its result. */
export const rowSender = (target: Target, options: RetryOptions) => {
  const send = retrying(target, options)

  /** Anonymises the customer that a row created, unless it has been changed since. */
  const anonymise = async (endpoint: Endpoint, row: Row, created: RowResult): Promise<RowResult> => {
    const isTaken = created.outcome === 'conflict'
    if (!isTaken && created.server_id === null) return created
    const path = `${endpoint.path}/${encodeURIComponent(String(created.server_id ?? row.id))}`
    const current = await send('GET', path)
    if (current.status !== 200) return isFinal(current) && isTaken ? created : refused('failed', current)
    const entity = entityIn(endpoint, current)
    if (!matches(endpoint, JSON.parse(row.body), entity, !isTaken))
      return isTaken ? created : { ...created, outcome: 'conflict', errors: [CHANGED] }
    if (isTaken) return { outcome: 'unchanged', server_id: entity.id, errors: [] }
    const anonymised = await send('PUT', path)
    return anonymised.status === 200 ? created : refused('failed', anonymised)
  }

  return async (row: Row): Promise<RowResult> => {
    const endpoint = creates.get(row.type as string)!
    const result = resultOf(endpoint, await send('POST', endpoint.path, row.body), target)
    return row.isErased ? anonymise(endpoint, row, result) : result
  }
}
