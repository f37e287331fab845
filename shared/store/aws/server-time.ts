import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { clockIsSet, compareClock, moment, now } from '../../clock.ts'

/**
 * Compares our clock with the `date` header of every response of DynamoDB, refusals included. Signatures use the corrected
 * time too: with a clock that is ahead they would be valid for longer, and the SDK corrects only four minutes or more.
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
