import type { ImportCounts, Outcome } from './options.ts'

/** Further reasons are counted together. */
const MAX_REASONS = 50

/** The counts of a running import. */
export class Counter implements ImportCounts {
  rows = 0
  resumed = 0
  created = 0
  unchanged = 0
  conflict = 0
  invalid = 0
  failed = 0
  readonly skipped: Record<string, number> = {}
  readonly unusable: Record<string, number> = {}
  #startedAt: number | undefined

  get seconds(): number {
    return this.#startedAt === undefined ? 0 : (performance.now() - this.#startedAt) / 1_000
  }

  /** The rows that have an outcome or had one before. */
  get ended(): number {
    return this.resumed + this.created + this.unchanged + this.conflict + this.invalid + this.failed
  }

  startClock(): void {
    this.#startedAt = performance.now()
  }

  countReason(kind: 'skipped' | 'unusable', text: string): void {
    const reasons = this[kind]
    const name = text in reasons || Object.keys(reasons).length < MAX_REASONS ? text : 'other reasons'
    reasons[name] = (reasons[name] ?? 0) + 1
  }

  /** The counts at this moment. */
  snapshot(): ImportCounts {
    return { ...this, seconds: this.seconds }
  }
}

export const isRecorded = (outcome: Outcome): boolean => outcome === 'created' || outcome === 'unchanged'
