/** The properties of SDK errors that are used here. */
interface AwsError extends Error {
  readonly $fault?: 'client' | 'server'
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean }
  readonly $retryable?: unknown
  readonly code?: string
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

/**
 * How to treat a failed call: `conflict`, retry after a transaction conflict; `transient`, retry; `final`, do
 * not retry, as for a failed condition or a bug of ours.
 */
type Failure = 'conflict' | 'transient' | 'final'

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'ReplicatedWriteConflictException',
])
const conflicts = /^Transaction(?:Conflict|InProgress)Exception$/

/** Whether a call timed out, so that its connection may be dead. */
export const gotNoResponse = (thrown: unknown): boolean =>
  ['TimeoutError', 'AbortError'].includes((thrown as AwsError).name)

/**
 * Whether an error has its cause in the connection (such as ECONNRESET or EAI_AGAIN), in a response that is
 * not HTTP, or in a truncated stream. False for errors of our own code, such as ERR_INVALID_ARG_TYPE.
 */
const isBrokenConnection = ({ code = '' }: AwsError): boolean =>
  /^(?:E(?!RR_)[A-Z_]+|HPE_\w+|ERR_(?:STREAM|SOCKET|SSL)\w*)$/.test(code)

const isServerFault = ({ name, $fault, $metadata = {}, $retryable }: AwsError): boolean => {
  const { httpStatusCode = 0, clockSkewCorrected } = $metadata
  return (
    $fault === 'server' ||
    httpStatusCode >= 500 ||
    httpStatusCode === 429 ||
    // The SDK has corrected its clock, so the next signature is valid. The name is compared too, because the
    // SDK marks every error as corrected while the machine's clock is wrong, even a refusal of a request with
    // a valid signature.
    (clockSkewCorrected && name === 'InvalidSignatureException') ||
    $retryable !== undefined
  )
}

/** Whether an index cannot be read yet: a deployment has just added it, or a restored table lacks it. */
const isIndexMissing = ({ name, message }: AwsError): boolean =>
  name === 'ValidationException' && /backfilling|does not have the specified index/i.test(message)

/** The codes of the commands for which a transaction was cancelled. */
const cancellationCodes = ({ CancellationReasons = [] }: AwsError): string[] =>
  CancellationReasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None')

/** Classifies an error of DynamoDB, the network or the SDK. */
export const failureOf = (thrown: unknown): Failure => {
  const error = thrown as AwsError
  const codes = cancellationCodes(error)
  if (conflicts.test(error.name)) return 'conflict'
  if (codes.length > 0 && codes.every((code) => code === 'TransactionConflict')) return 'conflict'
  const transient =
    throttles.has(error.name) ||
    codes.some((code) => code === 'ThrottlingError' || code === 'ProvisionedThroughputExceeded') ||
    isIndexMissing(error) ||
    gotNoResponse(error) ||
    isBrokenConnection(error) ||
    isServerFault(error) ||
    // A truncated or garbled response is a parse error and has no AWS error class.
    error instanceof SyntaxError
  return transient ? 'transient' : 'final'
}

/** Whether DynamoDB refused a call without executing it: a throttle or a conflict. */
export const isRefusal = (thrown: unknown): boolean => {
  const error = thrown as AwsError
  return throttles.has(error.name) || failureOf(error) === 'conflict'
}
