import type { ScriptedFault } from './settings.ts'

interface Pending {
  readonly fault: ScriptedFault
  /** The number of matching calls that pass before it is due. */
  before: number
  /** The number of calls that it still applies to. */
  left: number
}

/** The faults to inject. The first one that is due takes a call; only calls that none takes count for the others. */
export class FaultScript {
  #pending: Pending[] = []

  add(fault: ScriptedFault): void {
    this.#pending.push({ fault, before: (fault.call ?? 1) - 1, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** The faults that have calls left, in the order of `add`; `times` is how many are left. */
  pending(): ScriptedFault[] {
    return this.#pending.map(({ fault, left }) => ({ ...fault, ...(fault.times ? { times: left } : {}) }))
  }

  /** Counts a call of an operation and returns the fault that applies to it, or undefined. */
  take(operation: string): ScriptedFault | undefined {
    const matching = this.#pending.filter(({ fault }) => (fault.operation ?? operation) === operation)
    const due = matching.find(({ before }) => before === 0)
    if (due) due.left -= 1
    else for (const each of matching) each.before -= 1
    this.#pending = this.#pending.filter(({ left }) => left > 0)
    return due?.fault
  }
}
