import { setTimeout as pause } from 'node:timers/promises'
import { BillingApiError } from '../../client/index.ts'
import type { ClientOptions } from '../../client/options.ts'
import { printable } from '../cli/printable.ts'
import { gatewaySteps } from './gateway-steps.ts'
import { operationSteps, type Step } from './operation-steps.ts'

interface StepResult {
  readonly operation: string
  /** The HTTP status, or "no response". */
  readonly status: string
  readonly millis: number
  readonly ok: boolean
  /** If it failed: the client's error message, or what was unexpected in the response; otherwise empty. */
  readonly problem: string
}

/** Lists are read from an index, which lags behind the table. */
const ATTEMPTS = 10
const PAUSE_MILLIS = 300

const statusOf = (error: unknown): string =>
  error instanceof BillingApiError && error.status > 0 ? String(error.status) : 'no response'

const MAX_CHARACTERS = 200

/** Returns the details of an error response, or the beginning of any other text. */
const describeResponse = ({
  json,
  text = '',
}: {
  readonly json?: unknown
  readonly text?: string
}): string => {
  const body = json as { readonly errors?: readonly { readonly detail: string }[] } | null | undefined
  const details = body?.errors?.map(({ detail }) => detail).join(' ')
  const description = details ?? text.replaceAll(/\s+/g, ' ').trim()
  return description.slice(0, MAX_CHARACTERS)
}

/** Runs a step, and again if its response does not meet the condition, at most `attempts` times. */
const run = async (step: Step, attempts = 1): Promise<StepResult> => {
  const { operation, call, holds } = step
  const startedAt = performance.now()
  const done = (status: string, ok: boolean, problem = ''): StepResult => ({
    operation,
    status,
    millis: Math.round(performance.now() - startedAt),
    ok,
    problem,
  })
  try {
    const response = await call()
    // The client returns entities and pages, without their status 200. Other responses have a status.
    const { status = 200 } = response as { status?: unknown }
    if (holds(response as never)) return done(String(status), true)
    if (attempts > 1) {
      await pause(PAUSE_MILLIS)
      return run(step, attempts - 1)
    }
    const problem = `unexpected: ${describeResponse(response as object) || 'not what was recorded'}`
    return done(String(status), false, problem)
  } catch (error) {
    return done(statusOf(error), false, (error as Error).message)
  }
}

/** Runs all steps in order, even after failures. `externalId` is the id of the entities that they create. */
export const runSmokeTest = async (access: ClientOptions, externalId: string): Promise<StepResult[]> => {
  const results: StepResult[] = []
  for (const step of operationSteps(access, externalId)) results.push(await run(step, ATTEMPTS))
  for (const step of gatewaySteps(access)) results.push(await run(step))
  return results
}

const WIDTH = 34

/** Returns a line of the report, in columns. */
const lineOf = (operation: string, status: string, millis: string): string =>
  `${operation.padEnd(WIDTH)} ${status.padStart(10)} ${millis.padStart(7)}`

/** Formats results as a table, without API keys and without anything of a response that controls a terminal. */
export const report = (results: readonly StepResult[]): string => {
  const lines = [lineOf('operation', 'status', 'ms')]
  for (const { operation, status, millis, ok, problem } of results) {
    const line = lineOf(operation, status, String(millis))
    lines.push(ok ? line : `${line}  FAILED  ${printable(problem)}`.trimEnd())
  }
  return lines.join('\n')
}
