import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { compareClock, moment } from '../../clock.ts'

/** Compares our clock with the time that DynamoDB tells in every answer, also in one that refuses a call. */
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
