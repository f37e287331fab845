import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { budget } from '../../budget.ts'
import { config } from '../../config.ts'
import { adaptMiddleware, Sha256, streamCollector } from './internals.ts'
import { allowRehearsals, compareServerTime } from './middleware.ts'

const connect = () => {
  const { endpoint } = config()
  const kept = { keepAlive: true, maxSockets: 50 }
  const [httpAgent, httpsAgent] = [new HttpAgent(kept), new HttpsAgent(kept)]
  const plain = new DynamoDBClient({
    // The embedded engine accepts any region and credentials, but the SDK requires some.
    ...(endpoint
      ? { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
    streamCollector,
    sha256: Sha256,
    requestHandler: { connectionTimeout: budget.connect, httpAgent, httpsAgent },
  })
  adaptMiddleware(plain)
  allowRehearsals(plain)
  compareServerTime(plain)
  const client = DynamoDBDocumentClient.from(plain, { marshallOptions: { removeUndefinedValues: true } })
  return { client, agents: [httpAgent, httpsAgent] }
}

let connection: ReturnType<typeof connect> | undefined

/** Returns the document client, which is created on first use and kept. */
export const dynamodb = (): DynamoDBDocumentClient => {
  connection ??= connect()
  return connection.client
}

/** Closes the client. The next one connects to the endpoint that is then in the environment. */
export const disconnect = (): void => {
  connection?.client.destroy()
  connection = undefined
}

/**
 * Closes idle connections. A connection can break silently while the function is frozen. If one has, the others are as
 * old, and each would cost an attempt.
 */
export const dropIdleConnections = (): void => {
  for (const { freeSockets } of connection?.agents ?? [])
    for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy()
}
