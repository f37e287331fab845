import { setTimeout as pause } from 'node:timers/promises'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { ApiError } from '../errors.ts'
import { budget, pauseBefore, remainingMillis } from './budget.ts'
import { documents } from './client.ts'

type Command = Parameters<DynamoDBDocumentClient['send']>[0]

interface AwsError extends Error {
  readonly $fault?: 'client' | 'server'
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $retryable?: unknown
  readonly code?: string
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'ReplicatedWriteConflictException',
])

/** Whether a failure passes by itself: throttling, the service's own faults, time-outs, broken connections. */
const isTransient = (error: AwsError): boolean =>
  throttles.has(error.name) ||
  error.$fault === 'server' ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  error.$retryable !== undefined ||
  error.name === 'TimeoutError' ||
  error.name === 'AbortError' ||
  // An answer cut short cannot be parsed; no AWS error class says so.
  error instanceof SyntaxError ||
  /^E[A-Z]+$/.test(error.code ?? '')

const reasons = (error: AwsError): string[] =>
  (error.CancellationReasons ?? []).flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]))

const isConflict = (error: AwsError): boolean =>
  error.name === 'TransactionConflictException' ||
  error.name === 'TransactionInProgressException' ||
  (reasons(error).length > 0 && reasons(error).every((code) => code === 'TransactionConflict'))

const isThrottledTransaction = (error: AwsError): boolean =>
  reasons(error).some((code) => code === 'ThrottlingError' || code === 'ProvisionedThroughputExceeded')

/** The failure as the client may know it: 503 for what passes by itself; anything else is our bug and stays as it is. */
const failure = (error: AwsError): unknown =>
  isTransient(error) || isConflict(error) || isThrottledTransaction(error)
    ? new ApiError('unavailable', 'The service is busy; nothing is lost by sending the same request again.', {
        cause: error,
      })
    : error

const attempt = (command: Command): Promise<unknown> => {
  const left = remainingMillis()
  if (left === 0) throw Object.assign(new Error('The request has used up its time'), { name: 'TimeoutError' })
  return documents().send(command as never, { abortSignal: AbortSignal.timeout(left) })
}

/**
 * Sends a command within the request's time budget and retries what the SDK does not: transaction conflicts.
 * Throws ApiError `unavailable` when DynamoDB does not answer in time; a failed condition is thrown as it is.
 */
export const send = async <Output>(command: { readonly input: unknown }): Promise<Output> => {
  for (let number = 1; ; number += 1) {
    try {
      return (await attempt(command as Command)) as Output
    } catch (error) {
      const delay = pauseBefore(Math.min(number, 5))
      if (!isConflict(error as AwsError) || remainingMillis() < delay + budget.connect)
        throw failure(error as AwsError)
      await pause(delay)
    }
  }
}
