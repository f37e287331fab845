import { failureOf, gotNoResponse, isRefusal } from '../../../shared/store/aws/failure.ts'

const failed = (properties: object, name = 'Error'): Error => Object.assign(new Error(), { name }, properties)
const cancelled = (...codes: (string | undefined)[]): Error =>
  failed(
    { CancellationReasons: codes.map((Code) => (Code ? { Code } : {})), $fault: 'client' },
    'TransactionCanceledException',
  )
const refused = (name: string): Error =>
  failed({ $fault: 'client', $metadata: { httpStatusCode: 400 } }, name)
const answered = (httpStatusCode: number, more: object = {}): Error =>
  failed({ $metadata: { httpStatusCode, ...more } })

const invalid = (message: string): Error => failed({ $fault: 'client', message }, 'ValidationException')
const skewed = (name: string): Error => Object.assign(answered(400, { clockSkewCorrected: true }), { name })

type Row = [string, Error]
const errors = (...names: string[]): Row[] => names.map((name) => [name, refused(name)])
const codes = (...names: string[]): Row[] => names.map((code) => [code, failed({ code })])

const transient: Row[] = [
  ...errors('ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'),
  ...errors('LimitExceededException', 'ReplicatedWriteConflictException'),
  ...codes('ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO'),
  ...codes('HPE_INVALID_CONSTANT', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_SOCKET_CLOSED'),
  ...codes('ERR_SSL_WRONG_VERSION_NUMBER'),
  ['a fault of the service', failed({ $fault: 'server' })],
  ['status 500', answered(500)],
  ['status 503', answered(503)],
  ['status 429', answered(429)],
  ['a signature by a clock that was set right since', skewed('InvalidSignatureException')],
  ['what the service calls retryable', failed({ $fault: 'client', $retryable: {} })],
  ['a response that cannot be read', new SyntaxError('Unexpected token')],
  ['a transaction cancelled by throughput', cancelled('ProvisionedThroughputExceeded', 'None')],
  ['a cancellation by throttling and a conflict', cancelled('TransactionConflict', 'ThrottlingError')],
  ['an index that is still being filled', invalid('Cannot read from backfilling global secondary index: x')],
  ['an index that the table lacks', invalid('The table does not have the specified index: x')],
  ['a timeout', failed({}, 'TimeoutError')],
  ['an abort', failed({}, 'AbortError')],
]
const conflict: Row[] = [
  ...errors('TransactionConflictException', 'TransactionInProgressException'),
  ['a transaction cancelled by a conflict', cancelled('TransactionConflict')],
  ['a conflict of one part, the others without reason', cancelled(undefined, 'TransactionConflict')],
]
const final: Row[] = [
  ...errors('ConditionalCheckFailedException', 'AccessDeniedException', 'ResourceNotFoundException'),
  ...errors('ValidationException', 'ExpiredTokenException'),
  ['a transaction cancelled by a condition', cancelled('ConditionalCheckFailed', 'None')],
  ['a condition and a conflict', cancelled('ConditionalCheckFailed', 'TransactionConflict')],
  // The SDK marks every error so while the machine's clock is wrong.
  ['a failed condition on a machine whose clock is wrong', skewed('ConditionalCheckFailedException')],
  ['a transaction cancelled on a machine whose clock is wrong', skewed('TransactionCanceledException')],
  ['a transaction cancelled by a mistake', cancelled('ValidationError')],
  ['a transaction cancelled without reason', cancelled()],
  ['a mistake of ours', new TypeError('x is not a function')],
  // The last two only contain a network error code.
  ...codes('ERR_INVALID_ARG_TYPE', 'ERR_INVALID_URL', 'xECONNRESET', 'ECONNRESET!'),
]

it.each(transient)('%s is transient, so the call is retried', (_, error) =>
  expect(failureOf(error)).toBe('transient'),
)
it.each(conflict)('%s is a conflict, so the transaction is retried', (_, error) =>
  expect(failureOf(error)).toBe('conflict'),
)
it.each(final)('%s is final, so the call is not retried', (_, error) =>
  expect(failureOf(error)).toBe('final'),
)

it.each([
  ['TimeoutError', true],
  ['AbortError', true],
  ['ThrottlingException', false],
])('whether the connection may be dead after %s: %s', (name, dead) => {
  expect(gotNoResponse(failed({}, name))).toBe(dead)
})

it.each<[string, boolean, Error]>([
  ['a throttle', true, refused('ThrottlingException')],
  ['a conflict', true, refused('TransactionConflictException')],
  ['a fault of the service', false, failed({ $fault: 'server' })],
  ['no response', false, failed({}, 'TimeoutError')],
  ['a failed condition', false, refused('ConditionalCheckFailedException')],
])('whether %s proves that nothing was executed: %s', (_, nothingDone, error) => {
  expect(isRefusal(error)).toBe(nothingDone)
})
