import { setTimeout as pause } from 'node:timers/promises'
import { BillingApiError } from '../../client/index.ts'
import { gatewaySteps } from './gateway.ts'
import { type Destination, type Step, tour } from './tour.ts'

/** The outcome of a step. */
export interface Outcome {
  readonly operation: string
  /** The HTTP status, "no response" or "unexpected". */
  readonly status: string
  readonly millis: number
  readonly ok: boolean
  /** The client's error message, or the unexpected status; otherwise empty. */
  readonly why: string
}

/** Lists are read from an index, which lags behind the table. */
const ATTEMPTS = 10
const PAUSE_MILLIS = 300

const statusOf = (error: unknown): string =>
  error instanceof BillingApiError && error.status > 0 ? String(error.status) : 'no response'

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
    return holds(response as never)
      ? done(String(status), true)
      : done('unexpected', false, status === 200 ? '' : `got ${status}`)
  } catch (error) {
    return done(statusOf(error), false, (error as Error).message)
  }
}

const settle = async (step: Step): Promise<Outcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await take(step)
    if (outcome.status !== 'unexpected' || attempt === ATTEMPTS) return outcome
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
