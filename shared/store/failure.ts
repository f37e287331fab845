/** What the SDK throws, as far as it matters here. */
interface AwsError extends Error {
  readonly $fault?: 'client' | 'server'
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean }
  readonly $retryable?: unknown
  readonly code?: string
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

/**
 * What a failed call asks for: `conflict`, another transaction was in the way and the next try may win; `transient`,
 * it passes by itself; `final`, an answer such as a failed condition, or our own mistake.
 */
export type Failure = 'conflict' | 'transient' | 'final'

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'ReplicatedWriteConflictException',
])
const conflicts = new Set(['TransactionConflictException', 'TransactionInProgressException'])

const isTimeout = ({ name }: AwsError): boolean => name === 'TimeoutError' || name === 'AbortError'

// ECONNRESET, EAI_AGAIN, EPROTO …, an answer that is not HTTP, a stream that ended early; not a bad argument of ours.
const isBrokenConnection = ({ code = '' }: AwsError): boolean =>
  /^(?:E(?!RR_)[A-Z_]+|HPE_\w+|ERR_(?:STREAM|SOCKET|SSL)\w*)$/.test(code)

const isOfTheService = ({ $fault, $metadata = {}, $retryable }: AwsError): boolean => {
  const { httpStatusCode = 0, clockSkewCorrected = false } = $metadata
  return (
    $fault === 'server' ||
    httpStatusCode >= 500 ||
    httpStatusCode === 429 ||
    clockSkewCorrected ||
    $retryable !== undefined
  )
}

const reasons = ({ CancellationReasons = [] }: AwsError): string[] =>
  CancellationReasons.flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]))

/** Tells failures of a call apart, by what is known of DynamoDB's errors, the network's and the SDK's. */
export const failureOf = (thrown: unknown): Failure => {
  const error = thrown as AwsError
  const codes = reasons(error)
  if (conflicts.has(error.name)) return 'conflict'
  if (codes.length > 0 && codes.every((code) => code === 'TransactionConflict')) return 'conflict'
  const transient =
    throttles.has(error.name) ||
    codes.some((code) => code === 'ThrottlingError' || code === 'ProvisionedThroughputExceeded') ||
    isTimeout(error) ||
    isBrokenConnection(error) ||
    isOfTheService(error) ||
    // An answer cut short or garbled cannot be parsed; no AWS error class says so.
    error instanceof SyntaxError
  return transient ? 'transient' : 'final'
}

/** Whether the call got no answer in time, so that its connection may be dead. */
export const gotNoAnswer = (thrown: unknown): boolean => isTimeout(thrown as AwsError)

/** Whether the call failed by an answer that says it was not done: a throttle or a conflict. */
export const isRefusal = (thrown: unknown): boolean => {
  const error = thrown as AwsError
  return throttles.has(error.name) || failureOf(error) === 'conflict'
}
