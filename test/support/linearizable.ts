import { isDeepStrictEqual } from 'node:util'
import type { ApiResponse } from './service.ts'

/** What a client can see of a customer. A create with the id of an erased one is a conflict. */
export interface CustomerState {
  readonly name: string | null
  readonly email: string | null
  readonly erased: boolean
}

/** A request to a customer. */
export interface Operation {
  /** A description for the message of a failure. */
  readonly what: string
  readonly call: () => Promise<ApiResponse>
  /** Returns the customer after the request; absent if the request only reads. */
  readonly effect?: (state: CustomerState) => CustomerState
  /** Whether the response is 409 if the customer is erased, in place of the customer. */
  readonly conflictsIfErased?: boolean
}

/** An operation with its response and the times at which it was sent and received. */
interface Event extends Operation {
  readonly start: number
  readonly end: number
  readonly status: number
  readonly name?: string | null
  readonly email?: string | null
}

/** Carries out an operation. */
export const carryOut = async (operation: Operation): Promise<Event> => {
  const start = performance.now()
  const { status, json } = await operation.call()
  const { name, email } = json.data?.customer ?? {}
  return { ...operation, start, end: performance.now(), status, name, email }
}

/** Returns whether a response shows this state. */
const shows = ({ status, name, email, conflictsIfErased }: Event, state: CustomerState): boolean =>
  conflictsIfErased && state.erased
    ? status === 409
    : status === 200 && name === state.name && email === state.email

const isAcknowledged = ({ status }: Event): boolean => status !== 503

const without = (events: readonly Event[], one: Event): Event[] => events.filter((event) => event !== one)

/**
 * Returns whether the remaining writes, carried out one at a time from this state, explain the remaining responses. Tries
 * every order of the writes. A response that shows the present state is removed at once, which excludes no explanation.
 */
const explains = (state: CustomerState, writes: readonly Event[], responses: readonly Event[]): boolean => {
  const pending = [...writes.filter(isAcknowledged), ...responses]
  const mayBeNext = ({ start }: Event): boolean => pending.every(({ end }) => start <= end)
  const explained = responses.find((event) => mayBeNext(event) && shows(event, state))
  if (explained) return explains(state, writes, without(responses, explained))
  if (pending.length === 0) return true
  return writes.filter(mayBeNext).some((write) => {
    const next = write.effect!(state)
    const others = without(writes, write)
    if (!isAcknowledged(write)) return explains(next, others, responses)
    // An upsert of what is already there writes nothing.
    const settles = !isDeepStrictEqual(next, state)
    const possible = others.filter((other) => !settles || isAcknowledged(other) || write.start <= other.end)
    // A write that has found the customer responds with it, even if it is erased by then.
    const conflicts = Boolean(write.conflictsIfErased) && state.erased
    return explains(next, possible, [...responses, { ...write, conflictsIfErased: conflicts }])
  })
}

/**
 * Throws an error with all events if they are not linearizable: if no order of the requests, carried out one at a time,
 * explains the responses. In such an order,
 * - no request comes before another that had its response before this one was sent;
 * - the response of a write shows the customer after this write or a later one, since it may have been read again after the
 *   database's acknowledgement was lost;
 * - a write whose response is 503 is carried out or not, but not after an acknowledged write that was sent later.
 */
export const expectLinearizable = (start: CustomerState, events: readonly Event[]): void => {
  const writes = events.filter(({ effect }) => effect)
  const reads = events.filter((event) => !event.effect && isAcknowledged(event))
  if (explains(start, writes, reads)) return
  const inOrder = events.toSorted((a, b) => a.start - b.start)
  throw new Error(`no order explains ${JSON.stringify(inOrder, null, 1)}`)
}
