import { failureOf, gotNoAnswer, isRefusal } from '../../../shared/store/aws/failure.ts'

const failed = (properties: object, name = 'Error'): Error => Object.assign(new Error(), { name }, properties)
const cancelled = (...codes: (string | undefined)[]): Error =>
  failed(
    { CancellationReasons: codes.map((Code) => (Code ? { Code } : {})), $fault: 'client' },
    'TransactionCanceledException',
  )
const refused = (name: string): Error =>
  failed({ $fault: 'client', $metadata: { httpStatusCode: 400 } }, name)

describe('a failed call', () => {
  it.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'LimitExceededException',
    'ReplicatedWriteConflictException',
  ])('%s passes by itself', (name) => expect(failureOf(refused(name))).toBe('transient'))

  it.each([
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPROTO',
    'HPE_INVALID_CONSTANT',
    'ERR_STREAM_PREMATURE_CLOSE',
    'ERR_SOCKET_CLOSED',
    'ERR_SSL_WRONG_VERSION_NUMBER',
  ])('of the network, %s, passes by itself', (code) => expect(failureOf(failed({ code }))).toBe('transient'))

  it.each([
    ['a fault of the service', { $fault: 'server' }],
    ['status 500', { $metadata: { httpStatusCode: 500 } }],
    ['status 503', { $metadata: { httpStatusCode: 503 } }],
    ['status 429', { $metadata: { httpStatusCode: 429 } }],
    ['a clock that was set right', { $metadata: { httpStatusCode: 400, clockSkewCorrected: true } }],
    ['what the service calls retryable', { $fault: 'client', $retryable: {} }],
  ])('%s passes by itself', (_, properties) => expect(failureOf(failed(properties))).toBe('transient'))

  it('without an answer that can be read passes by itself', () =>
    expect(failureOf(new SyntaxError('Unexpected token'))).toBe('transient'))

  it.each([
    ['a conflict', ['TransactionConflict'], 'conflict'],
    ['a conflict of one part', ['None', 'TransactionConflict'], 'conflict'],
    ['a conflict of one part, the others without reason', [undefined, 'TransactionConflict'], 'conflict'],
    ['throttling', ['None', 'ThrottlingError'], 'transient'],
    ['throughput', ['ProvisionedThroughputExceeded', 'None'], 'transient'],
    ['throttling and a conflict', ['TransactionConflict', 'ThrottlingError'], 'transient'],
    ['a condition', ['ConditionalCheckFailed', 'None'], 'final'],
    ['a condition and a conflict', ['ConditionalCheckFailed', 'TransactionConflict'], 'final'],
    ['a mistake', ['ValidationError'], 'final'],
    ['no reason', [], 'final'],
  ])('cancelled by %s', (_, codes, failure) => expect(failureOf(cancelled(...codes))).toBe(failure))

  it.each(['TransactionConflictException', 'TransactionInProgressException'])('%s is a conflict', (name) =>
    expect(failureOf(refused(name))).toBe('conflict'),
  )

  it.each([
    'ConditionalCheckFailedException',
    'AccessDeniedException',
    'ResourceNotFoundException',
    'ValidationException',
    'ExpiredTokenException',
  ])('%s is final', (name) => expect(failureOf(refused(name))).toBe('final'))

  it.each([
    ['of ours', new TypeError('x is not a function')],
    ['of an argument', failed({ code: 'ERR_INVALID_ARG_TYPE' })],
    ['of an address', failed({ code: 'ERR_INVALID_URL' })],
    ['with a code that only ends like one of the network', failed({ code: 'xECONNRESET' })],
    ['with a code that only begins like one of the network', failed({ code: 'ECONNRESET!' })],
  ])('%s is final', (_, error) => expect(failureOf(error)).toBe('final'))

  it.each([
    ['TimeoutError', 'transient', true],
    ['AbortError', 'transient', true],
    ['ThrottlingException', 'transient', false],
  ])('%s: %s; its connection may be dead: %s', (name, failure, dead) => {
    expect(failureOf(failed({}, name))).toBe(failure)
    expect(gotNoAnswer(failed({}, name))).toBe(dead)
  })

  it.each<[string, boolean, Error]>([
    ['a throttle', true, refused('ThrottlingException')],
    ['a conflict', true, refused('TransactionConflictException')],
    ['a fault of the service', false, failed({ $fault: 'server' })],
    ['no answer', false, failed({}, 'TimeoutError')],
    ['a failed condition', false, refused('ConditionalCheckFailedException')],
  ])('%s says that nothing was done: %s', (_, nothingDone, error) => {
    expect(isRefusal(error)).toBe(nothingDone)
  })
})
