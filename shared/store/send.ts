import { setTimeout as pause } from 'node:timers/promises'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { budget, pauseBeforeRetry } from '../budget.ts'
import { ApiError } from '../errors.ts'
import { failureOf, gotNoResponse, isRefusal } from './aws/failure.ts'
import { currentService, remainingMillis } from './service.ts'

type Command = Parameters<DynamoDBDocumentClient['send']>[0]

/** The 503 error for a call that failed temporarily. */
export const unavailableError = (cause: unknown): ApiError =>
  new ApiError('unavailable', 'The service is busy; nothing is lost by sending the same request again.', {
    cause,
  })

/** Waits before a retry; the first is 1. Returns false at once if too little time is left for another attempt. */
export const pauseToRetry = async (retry: number): Promise<boolean> => {
  const delay = pauseBeforeRetry(retry)
  if (remainingMillis() < delay + budget.connect) return false
  await pause(delay)
  return true
}

const attempt = async (command: Command): Promise<unknown> => {
  const millis = Math.min(budget.attempt, remainingMillis())
  if (millis === 0)
    throw Object.assign(new Error('The request has used up its time'), { name: 'TimeoutError' })
  const { clock, database } = currentService()
  const { lastAttempt } = database
  if (lastAttempt && clock.elapsedSince(lastAttempt) > budget.idleConnection) database.dropIdleConnections()
  database.lastAttempt = clock.moment()
  // Not AbortSignal.timeout: it also fires long after the response, and its references survive
  // young-generation GC.
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), millis)
  try {
    return await database.client.send(command as never, { abortSignal: deadline.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the calls of this service that are under way have ended. */
export const callsEnded = (): Promise<unknown> => Promise.allSettled(currentService().database.callsUnderWay)

/**
 * Sends a command within the request's time budget. Retries transient failures up to the budget's attempts,
 * and transaction conflicts until the budget is spent; then throws ApiError `unavailable`. Rethrows other
 * errors, such as a failed condition. Calls `onDoubt` before a retry if the failed attempt may have been
 * executed all the same.
 */
export const send = async <Output>(
  command: { readonly input: unknown },
  onDoubt?: () => void,
): Promise<Output> => {
  const call = sendWithRetries(command as Command, onDoubt)
  const { callsUnderWay } = currentService().database
  callsUnderWay.add(call)
  try {
    return (await call) as Output
  } finally {
    callsUnderWay.delete(call)
  }
}

const sendWithRetries = async (command: Command, onDoubt: () => void = () => undefined): Promise<unknown> => {
  let faults = 0
  for (let retry = 1; ; retry += 1) {
    try {
      return await attempt(command)
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'final') throw error
      if (failure === 'transient') faults += 1
      if (!isRefusal(error)) onDoubt()
      if (gotNoResponse(error)) currentService().database.dropIdleConnections()
      if (faults === budget.maxAttempts || !(await pauseToRetry(retry))) throw unavailableError(error)
    }
  }
}
