import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { ConfiguredRetryStrategy } from '@smithy/core/retry'
import { config } from '../config.ts'
import { budget, pauseBefore } from './budget.ts'

const connect = (): DynamoDBDocumentClient => {
  const { endpoint } = config()
  const client = new DynamoDBClient({
    // The embedded engine takes any region and credentials, but the SDK wants some.
    ...(endpoint
      ? { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
    retryStrategy: new ConfiguredRetryStrategy(budget.attempts, pauseBefore),
    requestHandler: {
      connectionTimeout: budget.connect,
      requestTimeout: budget.attempt,
      throwOnRequestTimeout: true,
      socketTimeout: budget.attempt,
    },
  })
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}

let client: DynamoDBDocumentClient | undefined

/** The document client, made at the first request and kept for the life of the process. */
export const documents = (): DynamoDBDocumentClient => {
  client ??= connect()
  return client
}
