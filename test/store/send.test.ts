import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { budget, withinBudget } from '../../shared/budget.ts'
import { ApiError } from '../../shared/errors.ts'
import { send } from '../../shared/store/send.ts'

const database = mockClient(DynamoDBDocumentClient)
beforeAll(() => Object.assign(process.env, { TABLE_NAME: 'billing' }))
beforeEach(() => database.reset())
afterEach(() => jest.useRealTimers())
afterAll(() => database.restore())

const command = new GetCommand({ TableName: 'billing', Key: { pk: 'a', sk: 'b' } })
const sendWithin = (millis: number): Promise<unknown> =>
  withinBudget(millis + budget.early, () => send(command)).catch((error: unknown) => error)
const calls = () => database.commandCalls(GetCommand)
const isAborted = (): boolean => {
  const [, options] = calls()[0]!.args as unknown as [unknown, { abortSignal: AbortSignal }]
  return options.abortSignal.aborted
}
const failing = (name: string) => Object.assign(new Error('Said by the database'), { name })

describe('a call', () => {
  it('is not started when the request has used up its time', async () => {
    const error = (await sendWithin(0)) as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect(error.kind).toBe('unavailable')
    expect(error.cause).toMatchObject({
      name: 'TimeoutError',
      message: 'The request has used up its time',
    })
    expect(calls()).toHaveLength(0)
  })

  it.each([
    ['when the time of an attempt is over', budget.request, budget.attempt],
    ['when the time of its request is over, where that is sooner', 300, 300],
  ])('is aborted %s', (_, left, bound) => {
    jest.useFakeTimers()
    database.on(GetCommand).callsFake(() => new Promise(() => undefined))
    void sendWithin(left)
    jest.advanceTimersByTime(bound - 1)
    expect(isAborted()).toBe(false)
    jest.advanceTimersByTime(1)
    expect(isAborted()).toBe(true)
  })

  it('is not aborted once it has a response', async () => {
    jest.useFakeTimers()
    database.on(GetCommand).resolves({})
    await sendWithin(20)
    jest.advanceTimersByTime(budget.request)
    expect(isAborted()).toBe(false)
  })

  it('that fails transiently is repeated as often as the budget allows, then fails as unavailable', async () => {
    database.on(GetCommand).rejects(failing('ThrottlingException'))
    const error = (await sendWithin(budget.request)) as ApiError
    expect(calls()).toHaveLength(budget.attempts)
    expect(error.details).toEqual(['The service is busy; nothing is lost by sending the same request again.'])
    expect(error.cause).toMatchObject({ name: 'ThrottlingException' })
  })

  it('is repeated only while there is time for another attempt', async () => {
    database.on(GetCommand).rejects(failing('ThrottlingException'))
    await sendWithin(budget.connect - 10)
    expect(calls()).toHaveLength(1)
  })

  it('that finally succeeds returns one response', async () => {
    database
      .on(GetCommand)
      .rejectsOnce(failing('TimeoutError'))
      .resolves({ Item: { pk: 'a' } })
    expect(await sendWithin(budget.request)).toMatchObject({ Item: { pk: 'a' } })
    expect(calls()).toHaveLength(2)
  })

  it('that is refused is not repeated, and rejects with the original error', async () => {
    const refusal = failing('ValidationException')
    database.on(GetCommand).rejects(refusal)
    expect(await sendWithin(budget.request)).toBe(refusal)
    expect(calls()).toHaveLength(1)
  })
})
