import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { placeholdersOf } from '../../shared/contract/field.ts'
import { StartError } from '../local/settings.ts'
import { creates } from './creates.ts'
import { errorsIn, isSettled, type Persistence, persistent } from './persist.ts'
import type { Row } from './row.ts'
import type { Answer, Target } from './target.ts'

/** How a row ended. */
export type Outcome = 'created' | 'unchanged' | 'conflict' | 'invalid' | 'failed'

/** The end of a row, with the service's id where it has one, and what is wrong, a sentence each. */
export interface Verdict {
  readonly outcome: Outcome
  readonly server_id: string | null
  readonly errors: readonly string[]
}

const CHANGED = 'The customer was changed since it was created, and is not anonymised.'
/** What the service refuses, and what its firewall does. */
const refusals = new Set([400, 403, 413, 415, 422])

type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

const entityIn = (endpoint: Endpoint, { text }: Answer): Entity =>
  JSON.parse(text).data[endpoint.resource.name]

const refused = (outcome: Outcome, answer: Answer): Verdict => ({
  outcome,
  server_id: null,
  errors: errorsIn(answer),
})

/** What the answer to a create means for its row. Throws StartError where the target is the wrong one. */
const verdictOf = (endpoint: Endpoint, answer: Answer, { name }: Target): Verdict => {
  const { status, headers } = answer
  if (!isSettled(answer)) return refused('failed', answer)
  if (status === 200) {
    const outcome = headers['idempotent-replayed'] === 'true' ? 'unchanged' : 'created'
    return { outcome, server_id: entityIn(endpoint, answer).id, errors: [] }
  }
  if (status === 409) return refused('conflict', answer)
  if (refusals.has(status)) return refused('invalid', answer)
  throw new StartError(`${name} answers ${status}: ${errorsIn(answer).join(' ')}`)
}

/** Whether an entity shows of a body what erasure leaves of it; or, if `orAll`, all that it says. */
const shows = ({ resource: { fields } }: Endpoint, body: Entity, shown: Entity, orAll: boolean): boolean => {
  const placeholders = placeholdersOf(fields) as Readonly<Record<string, unknown>>
  return Object.entries(fields).every(([name, { visible, read }]) => {
    if (!visible || shown[name] === placeholders[name]) return true
    return (orAll || !(name in placeholders)) && isDeepStrictEqual(shown[name], read(body[name], shown.id))
  })
}

/** Delivers rows to a target, each until it has ended. */
export const deliverer = (target: Target, persistence: Persistence) => {
  const send = persistent(target, persistence)

  /** Anonymises what a row has created, or finds it anonymised; never a customer who holds anything else. */
  const erase = async (endpoint: Endpoint, row: Row, verdict: Verdict): Promise<Verdict> => {
    const isTaken = verdict.outcome === 'conflict'
    if (!isTaken && verdict.server_id === null) return verdict
    const path = `${endpoint.path}/${encodeURIComponent(String(verdict.server_id ?? row.id))}`
    const current = await send('GET', path)
    if (current.status !== 200) return isSettled(current) && isTaken ? verdict : refused('failed', current)
    const entity = entityIn(endpoint, current)
    if (!shows(endpoint, JSON.parse(row.body), entity, !isTaken))
      return isTaken ? verdict : { ...verdict, outcome: 'conflict', errors: [CHANGED] }
    if (isTaken) return { outcome: 'unchanged', server_id: entity.id, errors: [] }
    const erased = await send('PUT', path)
    return erased.status === 200 ? verdict : refused('failed', erased)
  }

  return async (row: Row): Promise<Verdict> => {
    const endpoint = creates.get(row.type as string)!
    const verdict = verdictOf(endpoint, await send('POST', endpoint.path, row.body), target)
    return row.isErased ? erase(endpoint, row, verdict) : verdict
  }
}
