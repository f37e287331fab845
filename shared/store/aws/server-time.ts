import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { clockIsSet, compareClock, moment, now } from '../../clock.ts'

/**
 * Compares our clock with the time that DynamoDB tells in every response, also in one that refuses a call. Signatures get the
 * corrected time, too: one of a clock that is ahead would be valid for longer, and the SDK corrects from four minutes on.
 */
export const compareServerTime = ({ middlewareStack, config }: DynamoDBClient): void =>
  middlewareStack.add(
    (next) => async (args) => {
      const sent = moment()
      const result = await next(args)
      const { headers } = result.response as { readonly headers: Readonly<Record<string, string>> }
      compareClock(Date.parse(headers.date ?? ''), sent)
      if (!clockIsSet()) config.systemClockOffset = now() - moment().wall
      return result
    },
    { name: 'serverTimeMiddleware', step: 'deserialize', priority: 'low' },
  )
