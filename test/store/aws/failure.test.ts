import dns from 'node:dns'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { Database } from '../../../shared/store/aws/database.ts'
import { failureOf, gotNoResponse, isRefusal } from '../../../shared/store/aws/failure.ts'
import { currentService } from '../../../shared/store/service.ts'
import { setBudget } from '../../support/budgets.ts'

const errorWith = (properties: object, name = 'Error'): Error =>
  Object.assign(new Error(), { name }, properties)
const cancelledTransaction = (...codes: (string | undefined)[]): Error =>
  errorWith(
    { CancellationReasons: codes.map((Code) => (Code ? { Code } : {})), $fault: 'client' },
    'TransactionCanceledException',
  )
const refusal = (name: string): Error =>
  errorWith({ $fault: 'client', $metadata: { httpStatusCode: 400 } }, name)
const responseWith = (httpStatusCode: number, more: object = {}): Error =>
  errorWith({ $metadata: { httpStatusCode, ...more } })

const validationError = (message: string): Error =>
  errorWith({ $fault: 'client', message }, 'ValidationException')
/** The SDK marks the error. */
const errorOfWrongClock = (name: string): Error =>
  Object.assign(responseWith(400, { clockSkewCorrected: true }), { name })

type Row = [string, Error]
const refusals = (...names: string[]): Row[] => names.map((name) => [name, refusal(name)])
const networkErrors = (...codes: string[]): Row[] => codes.map((code) => [code, errorWith({ code })])

const transient: Row[] = [
  ...refusals('ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'),
  ...refusals('LimitExceededException', 'ReplicatedWriteConflictException'),
  ...networkErrors('ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO'),
  ...networkErrors('HPE_INVALID_CONSTANT', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_SOCKET_CLOSED'),
  ...networkErrors('ERR_SSL_WRONG_VERSION_NUMBER'),
  ['a fault of the service', errorWith({ $fault: 'server' })],
  ['status 500', responseWith(500)],
  ['status 503', responseWith(503)],
  ['status 429', responseWith(429)],
  ['a signature from before the correction of a wrong clock', errorOfWrongClock('InvalidSignatureException')],
  ['an error that the service marks as retryable', errorWith({ $fault: 'client', $retryable: {} })],
  ['a response that cannot be parsed', new SyntaxError('Unexpected token')],
  ['a transaction cancelled by throughput', cancelledTransaction('ProvisionedThroughputExceeded', 'None')],
  [
    'a transaction cancelled by throttling and a conflict',
    cancelledTransaction('TransactionConflict', 'ThrottlingError'),
  ],
  [
    'an index that is still being filled',
    validationError('Cannot read from backfilling global secondary index: x'),
  ],
  ['an index that the table lacks', validationError('The table does not have the specified index: x')],
  ['a timeout', errorWith({}, 'TimeoutError')],
  ['an abort', errorWith({}, 'AbortError')],
]
const conflict: Row[] = [
  ...refusals('TransactionConflictException', 'TransactionInProgressException'),
  ['a transaction cancelled by a conflict', cancelledTransaction('TransactionConflict')],
  [
    'a transaction cancelled by a conflict of one part',
    cancelledTransaction(undefined, 'TransactionConflict'),
  ],
]
const final: Row[] = [
  ...refusals('ConditionalCheckFailedException', 'AccessDeniedException', 'ResourceNotFoundException'),
  ...refusals('ValidationException', 'ExpiredTokenException'),
  ['a transaction cancelled by a condition', cancelledTransaction('ConditionalCheckFailed', 'None')],
  [
    'a transaction cancelled by a condition and a conflict',
    cancelledTransaction('ConditionalCheckFailed', 'TransactionConflict'),
  ],
  // The SDK marks every error in this way while the machine's clock is wrong.
  [
    'a failed condition on a machine whose clock is wrong',
    errorOfWrongClock('ConditionalCheckFailedException'),
  ],
  [
    'a transaction cancelled on a machine whose clock is wrong',
    errorOfWrongClock('TransactionCanceledException'),
  ],
  ['a transaction cancelled by a mistake', cancelledTransaction('ValidationError')],
  ['a transaction cancelled without reason', cancelledTransaction()],
  ['a mistake in our code', new TypeError('x is not a function')],
  // The last two only contain a network error code.
  ...networkErrors('ERR_INVALID_ARG_TYPE', 'ERR_INVALID_URL', 'xECONNRESET', 'ECONNRESET!'),
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

it.each(['TimeoutError', 'AbortError'])('%s means that no response arrived', (name) => {
  expect(gotNoResponse(errorWith({}, name))).toBe(true)
})
it('ThrottlingException means that a response arrived', () => {
  expect(gotNoResponse(errorWith({}, 'ThrottlingException'))).toBe(false)
})

it.each<Row>([
  ['a throttle', refusal('ThrottlingException')],
  ['a conflict', refusal('TransactionConflictException')],
])('%s proves that the call was not executed', (_, error) => {
  expect(isRefusal(error)).toBe(true)
})
it.each<Row>([
  ['a fault of the service', errorWith({ $fault: 'server' })],
  ['no response', errorWith({}, 'TimeoutError')],
  // The condition also fails if an earlier attempt of the same call was executed.
  ['a failed condition', refusal('ConditionalCheckFailedException')],
])('%s does not prove that the call was not executed', (_, error) => {
  expect(isRefusal(error)).toBe(false)
})

const database = new Database({
  endpoint: () => 'http://unreachable.test',
  clock: () => currentService().clock,
  rehearsedResponse: () => undefined,
})
afterEach(() => {
  database.disconnect()
  jest.restoreAllMocks()
})

it('an attempt that finds no connection ends when the time for connecting is over', async () => {
  setBudget({ connect: 20 })
  // The name is never resolved.
  const lookUp = jest.spyOn(dns, 'lookup').mockImplementation()
  const call = database.client.send(new GetCommand({ TableName: 'table', Key: { pk: 'x' } }))
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(lookUp).toHaveBeenCalledTimes(1)
}, 5_000)
