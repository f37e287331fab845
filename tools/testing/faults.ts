import type { Client } from '../../client/generated.ts'

type OperationsOf<K extends keyof Client> = `${K}.${Exclude<keyof Client[K] & string, 'all' | 'anonymise'>}`

/** An operation of the API, such as `customers.create`; `customers.update` is the anonymisation too. */
export type OperationId = { [K in keyof Client]: OperationsOf<K> }[keyof Client]

/** Something that goes wrong with a call, as the gateway or the network would have it. */
export interface Fault {
  /** Which calls: those of one operation; without it, all. */
  readonly operation?: OperationId | undefined
  /** The how manieth of them, counted from when the fault was added: 1, the next one, if not given. */
  readonly call?: number | undefined
  /** How many calls in a row: 1 if not given. */
  readonly times?: number | undefined
  /** Milliseconds before anything else happens. */
  readonly delay?: number | undefined
  /** The status of an error that is answered instead of processing the call. */
  readonly answer?: 429 | 500 | 503 | undefined
  /** The `Retry-After` of a 429 or 503, in seconds: 1 if not given. */
  readonly retryAfter?: number | undefined
  /** `request`: the connection ends before the call is processed; `answer`: after it was processed and committed. */
  readonly lose?: 'request' | 'answer' | undefined
}

interface Pending {
  readonly fault: Fault
  /** Calls that still pass before it is due. */
  before: number
  /** Calls that it still takes. */
  left: number
}

/** The faults to come. A call is taken by the first one that is due, and the others do not count it. */
export class FaultScript {
  #pending: Pending[] = []

  add(fault: Fault): void {
    this.#pending.push({ fault, before: (fault.call ?? 1) - 1, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** The faults that have not happened, or not as often as they should, in the order in which they were added. */
  pending(): Fault[] {
    return this.#pending.map(({ fault, left }) => ({ ...fault, ...(fault.times ? { times: left } : {}) }))
  }

  /** The fault that takes this call of an operation, or undefined. */
  take(operation: string): Fault | undefined {
    const matching = this.#pending.filter(({ fault }) => (fault.operation ?? operation) === operation)
    const due = matching.find(({ before }) => before === 0)
    if (due) due.left -= 1
    else for (const each of matching) each.before -= 1
    this.#pending = this.#pending.filter(({ left }) => left > 0)
    return due?.fault
  }
}
