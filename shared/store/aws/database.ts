import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { budget } from '../../budget.ts'
import type { Clock, Moment } from '../../clock.ts'
import { adaptMiddleware, answerRehearsals, Sha256, streamCollector } from '../../cold-start/sdk/internals.ts'

/** The settings of the service that uses a database. They are functions, since the settings may change. */
export interface DatabaseUser {
  /** The address of an engine; undefined for DynamoDB in the region of the environment. */
  endpoint(): string | undefined
  clock(): Clock
  /** JSON that takes the place of DynamoDB's response to a call; undefined to send the call. */
  rehearsedResponse(): string | undefined
}

/**
 * Compares our clock with the `date` header of every response of DynamoDB, refusals included. The SDK signs
 * by that header too: with a clock that is ahead, signatures would be valid for longer than the five minutes
 * that removals and the hold-back wait.
 */
export const compareServerTime = (
  { middlewareStack }: DynamoDBClient,
  { clock }: Pick<DatabaseUser, 'clock'>,
): void =>
  middlewareStack.add(
    (next) => async (args) => {
      const sentAt = clock().moment()
      const result = await next(args)
      const { headers } = result.response as { readonly headers: Readonly<Record<string, string>> }
      clock().compare(Date.parse(headers.date ?? ''), sentAt)
      return result
    },
    { name: 'serverTimeMiddleware', step: 'deserialize', priority: 'low' },
  )

const connect = (user: DatabaseUser) => {
  const endpoint = user.endpoint()
  const options = { keepAlive: true, maxSockets: 50 }
  const httpAgent = new HttpAgent(options)
  const httpsAgent = new HttpsAgent(options)
  // The embedded engine accepts any region and credentials, but the SDK requires some.
  const local = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  const plain = new DynamoDBClient({
    ...(endpoint ? { endpoint, ...local } : {}),
    streamCollector,
    sha256: Sha256,
    requestHandler: { connectionTimeout: budget.connect, httpAgent, httpsAgent },
  })
  adaptMiddleware(plain)
  answerRehearsals(plain, () => user.rehearsedResponse())
  compareServerTime(plain, user)
  const client = DynamoDBDocumentClient.from(plain, { marshallOptions: { removeUndefinedValues: true } })
  return { client, agents: [httpAgent, httpsAgent] }
}

/** A service's connection to DynamoDB. */
export class Database {
  readonly #user: DatabaseUser
  #connection: ReturnType<typeof connect> | undefined
  /** When the last attempt of a call began; undefined before the first one. */
  lastAttempt: Moment | undefined
  /** The calls that have not ended. */
  readonly callsUnderWay = new Set<Promise<unknown>>()

  constructor(user: DatabaseUser) {
    this.#user = user
  }

  /** The document client, which is created on first use and kept. */
  get client(): DynamoDBDocumentClient {
    this.#connection ??= connect(this.#user)
    return this.#connection.client
  }

  /** Closes the client. The next one connects to the endpoint that the service has then. */
  disconnect(): void {
    this.#connection?.client.destroy()
    this.#connection = undefined
  }

  /**
   * Closes idle connections. They can break silently while the function is frozen. If one has broken, the
   * others probably have too, and each of them would cost an attempt.
   */
  dropIdleConnections(): void {
    for (const { freeSockets } of this.#connection?.agents ?? [])
      for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }
}
