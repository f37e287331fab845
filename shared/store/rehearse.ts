import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import { documents } from './client.ts'
import { applicationKey } from './keys.ts'

/** More repetitions make the first answer no faster (docs/performance.md). */
const REPETITIONS = 4

/**
 * Takes a read through the SDK several times, up to the connection: the signal is aborted, so nothing is sent.
 * JavaScript that has run several times runs faster than JavaScript that has run once.
 */
export const rehearseRead = async (): Promise<void> => {
  const input = { TableName: config().table, Key: applicationKey('app_0'), ConsistentRead: true }
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const sending = documents().send(new GetCommand(input), { abortSignal: AbortSignal.abort() })
    await Promise.allSettled([sending])
  }
}
