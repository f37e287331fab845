import type { Fault } from './options.ts'

interface Pending {
  readonly fault: Fault
  /** The number of matching calls before it applies. */
  skip: number
  /** The number of calls to which it still applies. */
  left: number
}

/** The faults to inject. The first one that is due applies to a call, and the others do not count that call. */
export class FaultScript {
  #pending: Pending[] = []

  add(fault: Fault): void {
    this.#pending.push({ fault, skip: (fault.call ?? 1) - 1, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** The remaining faults in the order of `add`; `times` is the number of their remaining calls. */
  pending(): Fault[] {
    return this.#pending.map(({ fault, left }) => ({ ...fault, ...(fault.times ? { times: left } : {}) }))
  }

  /** Counts a call of an operation; returns the fault that applies to it, if any. */
  take(operation: string): Fault | undefined {
    const matching = this.#pending.filter(({ fault }) => (fault.operation ?? operation) === operation)
    const due = matching.find(({ skip }) => skip === 0)
    if (due) due.left -= 1
    else for (const each of matching) each.skip -= 1
    this.#pending = this.#pending.filter(({ left }) => left > 0)
    return due?.fault
  }
}
