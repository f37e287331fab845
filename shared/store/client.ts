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

/** Collects a response body. The SDK's own collector pipes into a stream that survives young-generation GC, 5 ms a cycle. */
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
  // `send` retries within the request's budget. The SDK's retries ignore it and stop after about thirty faults per process.
  const once = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const
  client.middlewareStack.add((next) => next, once)
  // The logger walks every response even if no log is requested, a quarter of the time of a list.
  client.middlewareStack.remove('loggerMiddleware')
  // The SDK rebuilds its user agent for each call. A constant tells an audit trail as much.
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

/** Returns the document client, which is created on first use and kept for the life of the process. */
export const documents = (): DynamoDBDocumentClient => {
  connection ??= connect()
  return connection.documents
}

/**
 * Closes idle connections. A connection may break silently while the function is frozen. If one did, the others are as
 * old, and each would cost an attempt.
 */
export const dropIdleConnections = (): void => {
  for (const { freeSockets } of connection?.agents ?? [])
    for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy()
}
