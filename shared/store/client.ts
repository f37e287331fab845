import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import { budget } from './budget.ts'

interface Connection {
  readonly documents: DynamoDBDocumentClient
  readonly agents: readonly [HttpAgent, HttpsAgent]
}

/** The bytes of an answer. The SDK's own way, a pipe, keeps what it held through the young collections: 5 ms each. */
const collect = async (answer: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const connect = (): Connection => {
  const { endpoint } = config()
  const kept = { keepAlive: true, maxSockets: 50 }
  const [httpAgent, httpsAgent] = [new HttpAgent(kept), new HttpsAgent(kept)]
  const client = new DynamoDBClient({
    // The embedded engine takes any region and credentials, but the SDK wants some.
    ...(endpoint
      ? { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
    streamCollector: collect,
    requestHandler: { connectionTimeout: budget.connect, httpAgent, httpsAgent },
  })
  // `send` retries within one budget; the SDK's retries know none, and end after some thirty faults of a process.
  const once = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const
  client.middlewareStack.add((next) => next, once)
  // It goes through every answer for a log that nobody has asked for, which is a quarter of the time of a list.
  client.middlewareStack.remove('loggerMiddleware')
  // The SDK describes itself anew for each call; this says as much to whoever reads the trail of the table.
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { 'user-agent': 'billing-data-api' })
      return next(args)
    },
    { name: 'getUserAgentMiddleware', step: 'build', priority: 'low', override: true },
  )
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
  return { documents, agents: [httpAgent, httpsAgent] }
}

let connection: Connection | undefined

/** The document client, made at the first request and kept for the life of the process. */
export const documents = (): DynamoDBDocumentClient => {
  connection ??= connect()
  return connection.documents
}

/**
 * Closes the connections that wait for their next use. Those kept while a function was frozen may have died without
 * a word; where one has, the others are as old, and each would cost an attempt to find out.
 */
export const dropIdleConnections = (): void => {
  for (const { freeSockets } of connection?.agents ?? [])
    for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy()
}
