import type { Fault } from './options.ts'

interface PendingFault {
  readonly fault: Fault
  /** The number of matching calls before the fault applies. */
  callsBefore: number
  /** The number of calls to which the fault still applies. */
  remainingCalls: number
}

/** Of the faults that match a call, the first one that is due applies. The others do not count that call. */
export class FaultScript {
  #pending: PendingFault[] = []

  add(fault: Fault): void {
    this.#pending.push({ fault, callsBefore: (fault.call ?? 1) - 1, remainingCalls: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** In the order of `add`; `times` is the number of their remaining calls. */
  pending(): Fault[] {
    return this.#pending.map(({ fault, remainingCalls }) =>
      fault.times ? { ...fault, times: remainingCalls } : fault,
    )
  }

  /** Counts a call of an operation; returns the fault that applies to it, if any. */
  take(operation: string): Fault | undefined {
    const matching = this.#pending.filter(({ fault }) => (fault.operation ?? operation) === operation)
    const due = matching.find(({ callsBefore }) => callsBefore === 0)
    if (due) due.remainingCalls -= 1
    else for (const pending of matching) pending.callsBefore -= 1
    this.#pending = this.#pending.filter(({ remainingCalls }) => remainingCalls > 0)
    return due?.fault
  }
}
