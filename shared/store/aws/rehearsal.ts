import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

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
