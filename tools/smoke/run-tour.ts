import { setTimeout as pause } from 'node:timers/promises'
import { BillingApiError } from '../../client/index.ts'
import { gatewaySteps } from './gateway.ts'
import { type Destination, type Step, tour } from './tour.ts'

/** The outcome of a step. */
export interface Outcome {
  readonly operation: string
  /** The HTTP status, or "no response". */
  readonly status: string
  readonly millis: number
  readonly ok: boolean
  /** The client's error message, or what was unexpected in the response; otherwise empty. */
  readonly why: string
  /** Whether the response was complete, but not as it should be. Lists may be so for a while. */
  readonly isUnexpected?: true
}

/** Lists are read from an index, which lags behind the table. */
const ATTEMPTS = 10
const PAUSE_MILLIS = 300

const statusOf = (error: unknown): string =>
  error instanceof BillingApiError && error.status > 0 ? String(error.status) : 'no response'

const MOST_CHARACTERS = 200

/** Returns what a response says of itself: the details of its errors, or the beginning of its text. */
const saidBy = ({ json, text = '' }: { readonly json?: unknown; readonly text?: string }): string => {
  const { errors } = Object(json) as { readonly errors?: readonly { readonly detail: string }[] }
  const said = errors?.map(({ detail }) => detail).join(' ') ?? text.replaceAll(/\s+/g, ' ').trim()
  return said.slice(0, MOST_CHARACTERS)
}

const take = async ({ operation, call, holds }: Step): Promise<Outcome> => {
  const startedAt = performance.now()
  const done = (status: string, ok: boolean, why = ''): Outcome => ({
    operation,
    status,
    millis: Math.round(performance.now() - startedAt),
    ok,
    why,
  })
  try {
    const response = await call()
    // The client returns entities and pages, without their status 200. Other responses have a status.
    const { status = 200 } = response as { status?: unknown }
    if (holds(response as never)) return done(String(status), true)
    const why = `unexpected: ${saidBy(response as object) || 'not what was recorded'}`
    return { ...done(String(status), false, why), isUnexpected: true }
  } catch (error) {
    return done(statusOf(error), false, (error as Error).message)
  }
}

const settle = async (step: Step): Promise<Outcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await take(step)
    if (!outcome.isUnexpected || attempt === ATTEMPTS) return outcome
    await pause(PAUSE_MILLIS)
  }
}

/** Executes all steps of the tour in order, even after failures. `own` is the id of the entities that it leaves. */
export const runTour = async (destination: Destination, own: string): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const step of tour(destination, own)) outcomes.push(await settle(step))
  for (const step of gatewaySteps(destination)) outcomes.push(await take(step))
  return outcomes
}

const WIDTH = 34

/** Formats outcomes as a table. */
export const report = (outcomes: readonly Outcome[]): string =>
  [
    `${'operation'.padEnd(WIDTH)} ${'status'.padStart(10)} ${'ms'.padStart(7)}`,
    ...outcomes.map(
      ({ operation, status, millis, ok, why }) =>
        `${operation.padEnd(WIDTH)} ${status.padStart(10)} ${String(millis).padStart(7)}${ok ? '' : `  FAILED  ${why}`.trimEnd()}`,
    ),
  ].join('\n')
