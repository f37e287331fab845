import { setTimeout as pause } from 'node:timers/promises'
import { BillingApiError } from '../../client/index.ts'
import type { ClientOptions } from '../../client/options.ts'
import { printable } from '../cli/printable.ts'
import { gatewaySteps } from './gateway-steps.ts'
import { operationSteps } from './operation-steps.ts'
import type { Step } from './step.ts'

interface StepResult {
  readonly operation: string
  /** The HTTP status, or "no response". */
  readonly status: string
  readonly millis: number
  readonly ok: boolean
  /** The client's error message, or the unexpected response; empty if the step succeeded. */
  readonly problem: string
}

/** Lists are read from an index, which lags behind the table. */
const ATTEMPTS = 10
const PAUSE_MILLIS = 300

const statusOf = (error: unknown): string =>
  error instanceof BillingApiError && error.status > 0 ? String(error.status) : 'no response'

const MAX_CHARACTERS = 200

/** The details of an error response, or the beginning of any other text. */
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

interface CheckedResponse {
  readonly status: string
  /** Empty if the response is the expected one. */
  readonly problem: string
  /** The same call may return the expected response later. */
  readonly canRepeat: boolean
}

const checkResponse = async (step: Step): Promise<CheckedResponse> => {
  try {
    const { response, isExpected } = await step.run()
    // The client returns entities and pages, without their status 200. Other responses have a status.
    const { status = 200 } = response as { readonly status?: unknown }
    if (isExpected) return { status: String(status), problem: '', canRepeat: false }
    const description = describeResponse(response as object) || 'not what was recorded'
    return { status: String(status), problem: `unexpected: ${description}`, canRepeat: true }
  } catch (error) {
    return { status: statusOf(error), problem: (error as Error).message, canRepeat: false }
  }
}

const runStep = async (step: Step, attempts = 1): Promise<StepResult> => {
  const startedAt = performance.now()
  let checked = await checkResponse(step)
  for (let attempt = 2; attempt <= attempts && checked.canRepeat; attempt += 1) {
    await pause(PAUSE_MILLIS)
    checked = await checkResponse(step)
  }
  const { status, problem } = checked
  const millis = Math.round(performance.now() - startedAt)
  return { operation: step.name, status, millis, ok: problem === '', problem }
}

/** Continues after failures. `externalId` is the id of the entities that the steps create. */
export const runSmokeTest = async (access: ClientOptions, externalId: string): Promise<StepResult[]> => {
  const results: StepResult[] = []
  for (const step of operationSteps(access, externalId)) results.push(await runStep(step, ATTEMPTS))
  for (const step of gatewaySteps(access)) results.push(await runStep(step))
  return results
}

const NAME_WIDTH = 34

const reportLine = (operation: string, status: string, millis: string): string =>
  `${operation.padEnd(NAME_WIDTH)} ${status.padStart(10)} ${millis.padStart(7)}`

/** Without API keys and without characters of a response that control a terminal. */
export const formatResults = (results: readonly StepResult[]): string => {
  const lines = [reportLine('operation', 'status', 'ms')]
  for (const { operation, status, millis, ok, problem } of results) {
    const line = reportLine(operation, status, String(millis))
    lines.push(ok ? line : `${line}  FAILED  ${printable(problem)}`.trimEnd())
  }
  return lines.join('\n')
}
