import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { compareClock, moment } from '../../clock.ts'

const responses = new AsyncLocalStorage<string>()

/** Runs `work` without sending its calls: `response`, the text of a JSON object, is DynamoDB's response to each. */
export const rehearsed = <T>(response: string, work: () => Promise<T>): Promise<T> =>
  responses.run(response, work)

/** Allows rehearsals to intercept the calls of a client. */
export const allowRehearsals = ({ middlewareStack }: DynamoDBClient): void =>
  middlewareStack.add(
    (next) => (args) => {
      const text = responses.getStore()
      if (text === undefined) return next(args)
      const response = { statusCode: 200, headers: {}, body: [Buffer.from(text)] }
      return Promise.resolve({ response } as never)
    },
    { name: 'rehearsalMiddleware', step: 'deserialize', priority: 'low' },
  )

/**
 * Compares our clock with the `date` header of every response of DynamoDB, refusals included. The SDK signs by that header
 * too: with a clock that is ahead, signatures would be valid for longer than the five minutes that removals and the
 * hold-back wait.
 */
export const compareServerTime = ({ middlewareStack }: DynamoDBClient): void =>
  middlewareStack.add(
    (next) => async (args) => {
      const sent = moment()
      const result = await next(args)
      const { headers } = result.response as { readonly headers: Readonly<Record<string, string>> }
      compareClock(Date.parse(headers.date ?? ''), sent)
      return result
    },
    { name: 'serverTimeMiddleware', step: 'deserialize', priority: 'low' },
  )
