import { isDeepStrictEqual } from 'node:util'
import { customerBody } from './bodies.ts'
import type { ApiResponse, Client } from './service.ts'

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)

/** The placeholders of an erased customer. */
export const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' }

/** The visible state of a customer: its fields, and whether a create of its id is 409 because it was erased. */
interface State {
  readonly name: string | null
  readonly email: string | null
  readonly erased: boolean
}
type Received = { readonly status: number; readonly name?: string | null; readonly email?: string | null }

/** A request that concerns a customer, its effect on the state, and its expected response. */
export interface Operation {
  readonly call: () => Promise<ApiResponse>
  readonly writes: boolean
  readonly next: (state: State) => State
  readonly expected: (state: State) => Received
  /** Whether it writes nothing if the state is already as wanted. */
  readonly comparesFirst?: true
}

/** An operation with its response and the times at which it was sent and received. */
interface Event extends Operation {
  readonly start: number
  readonly end: number
  readonly received: Received
}

const shown = ({ name, email }: State): Received => ({ status: 200, name, email })
const same = (state: State): State => state

/** Creates a customer. Returns its initial state and the operations on it. */
export const newSubject = async (client: Client, name: string) => {
  const body = customerBody({ name })
  const { email } = await client.create('/api/customers', body)
  const path = `/api/customers/${body.id}`
  const change = (fields: Partial<State>): Operation => ({
    call: () => client.put(path, { id: body.id, ...fields }),
    writes: true,
    next: (state) => ({ ...state, ...fields }),
    expected: shown,
  })
  const erase: Operation = {
    call: () => client.put(path),
    writes: true,
    next: () => ({ ...anonymous, erased: true }),
    expected: shown,
  }
  const replay: Operation = {
    call: () => client.post('/api/customers', body),
    writes: false,
    next: same,
    expected: (state) => (state.erased ? { status: 409 } : shown(state)),
  }
  const sync: Operation = {
    call: () => client.post('/api/customers?on_conflict=update', { id: body.id, name: 'A', email }),
    writes: true,
    comparesFirst: true,
    next: (state) => (state.erased ? state : { ...state, name: 'A', email }),
    expected: (state) => (state.erased ? { status: 409 } : shown(state)),
  }
  const read: Operation = { call: () => client.get(path), writes: false, next: same, expected: shown }
  const start: State = { name, email, erased: false }
  const race = [change({ name: 'A' }), change({ email: 'B' }), change({ name: 'C', email: null })]
  return { start, read, replay, race: shuffled([...race, erase, erase, replay, replay, sync, sync, read]) }
}

/** Executes an operation. */
export const carryOut = async (operation: Operation): Promise<Event> => {
  const start = performance.now()
  const { status, json } = await operation.call()
  const { name, email } = json.data?.customer ?? {}
  return { ...operation, start, end: performance.now(), received: { status, name, email } }
}

/** A write without an acknowledgement. It may or may not have been executed. */
const isGivenUp = ({ writes, received }: Event): boolean => writes && received.status === 503

const fits = ({ received, expected }: Event, state: State): boolean => {
  const { status, name, email } = expected(state)
  return (
    status === received.status && (status !== 200 || (name === received.name && email === received.email))
  )
}

/** Returns the events that may come next: those that began before every remaining event ended. */
const candidates = (events: readonly Event[]): Event[] =>
  events.filter(({ start }) => !events.some((other) => !isGivenUp(other) && other.end < start))

/** The conditions of a history. */
interface Conditions {
  /** Whether responses of the database were lost. */
  readonly lostResponses?: boolean
}

/** Returns `others` after an acknowledged write: writes that were given up before it began are never executed. */
const stillPossible = (event: Event, others: readonly Event[]): readonly Event[] =>
  others.filter((other) => !isGivenUp(other) || other.end >= event.start)

/**
 * Returns whether some order of the events explains every response, by trying them in every order. No event comes before
 * one that ended before it began. A write without an acknowledgement may have been executed, but not after an acknowledged
 * write that began later. If responses were lost, a write may be received with the customer as found later: it is then
 * executed at one moment, and read like a retrieve at another.
 */
const isLegal = (start: State, events: readonly Event[], { lostResponses = false }: Conditions): boolean => {
  const foundLater = new Map(
    events.map((event) => [event, { ...event, writes: false, next: same, expected: shown }]),
  )
  const numbers = new Map([...events, ...foundLater.values()].map((event, index) => [event, index]))
  const tried = new Set<string>()
  const isFirst = (state: State, left: readonly Event[]): boolean => {
    const key = JSON.stringify([state, left.map((event) => numbers.get(event))])
    if (tried.has(key)) return false
    tried.add(key)
    return true
  }
  const search = (state: State, left: readonly Event[]): boolean => {
    if (left.every(isGivenUp)) return true
    return isFirst(state, left) && candidates(left).some((event) => canComeNext(event, state, left))
  }
  const canComeNext = (event: Event, state: State, left: readonly Event[]): boolean => {
    const next = event.next(state)
    const others = left.filter((other) => other !== event)
    if (isGivenUp(event)) return search(next, others)
    const writesNothing = !event.writes || (event.comparesFirst && isDeepStrictEqual(state, next))
    const rest = writesNothing ? others : stillPossible(event, others)
    if (fits(event, next) && search(next, rest)) return true
    return lostResponses && event.writes && search(next, [...rest, foundLater.get(event)!])
  }
  return search(start, events)
}

/** Throws an error that lists the events if no order explains the responses. */
export const expectLegal = (start: State, events: readonly Event[], conditions: Conditions = {}): void => {
  const telling = events.filter(({ writes, received }) => writes || received.status !== 503)
  if (isLegal(start, telling, conditions)) return
  const inOrder = telling.toSorted((a, b) => a.start - b.start)
  throw new Error(`no order explains ${JSON.stringify(inOrder, null, 1)}`)
}
