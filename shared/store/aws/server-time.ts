import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { compareClock, moment } from '../../clock.ts'

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
