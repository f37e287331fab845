import { setTimeout as pause } from 'node:timers/promises'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { elapsedSince, moment } from '../clock.ts'
import { ApiError } from '../errors.ts'
import { budget, pauseBefore, remainingMillis } from './budget.ts'
import { documents, dropIdleConnections } from './client.ts'
import { failureOf, gotNoAnswer, isRefusal } from './failure.ts'

type Command = Parameters<DynamoDBDocumentClient['send']>[0]

/** The failure of what is worth sending again. */
export const unavailable = (cause: unknown): ApiError =>
  new ApiError('unavailable', 'The service is busy; nothing is lost by sending the same request again.', {
    cause,
  })

/** Waits before retry number `retry`, from 1; false, at once, when the request has no time for another attempt. */
export const pauseToRetry = async (retry: number): Promise<boolean> => {
  const delay = pauseBefore(retry)
  if (remainingMillis() < delay + budget.connect) return false
  await pause(delay)
  return true
}

let lastAttempt = moment()

const attempt = async (command: Command): Promise<unknown> => {
  const millis = Math.min(budget.attempt, remainingMillis())
  if (millis === 0)
    throw Object.assign(new Error('The request has used up its time'), { name: 'TimeoutError' })
  if (elapsedSince(lastAttempt) > budget.idle) dropIdleConnections()
  lastAttempt = moment()
  // Not AbortSignal.timeout: it goes off long after the answer too, and what it holds outlives the young collections.
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), millis)
  try {
    return await documents().send(command as never, { abortSignal: deadline.signal })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends a command within the request's time budget, again where that may help: on what passes by itself up to the
 * budget's attempts, on transaction conflicts as long as there is time. Throws ApiError `unavailable` when it did
 * not help; anything else, a failed condition or a mistake of ours, is thrown as it is.
 */
export const send = async <Output>(
  command: { readonly input: unknown },
  mayBeDone: () => void = () => undefined,
): Promise<Output> => {
  let faults = 0
  for (let number = 1; ; number += 1) {
    try {
      return (await attempt(command as Command)) as Output
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'final') throw error
      if (failure === 'transient') faults += 1
      if (!isRefusal(error)) mayBeDone()
      if (gotNoAnswer(error)) dropIdleConnections()
      if (faults === budget.attempts || !(await pauseToRetry(number))) throw unavailable(error)
    }
  }
}
