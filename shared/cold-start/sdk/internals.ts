import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/*
 * Changes to the SDK by names that it does not document. `../left-out.ts` has those made in a bundle. Each has a test in
 * test/cold-start/internals.test.ts, which fails when an upgrade renames the part or no longer needs the change.
 */

/** Collects a response body. The SDK's own collector pipes into a stream that survives young-generation GC, 5 ms a cycle. */
export const streamCollector = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type SourceData = string | ArrayBuffer | ArrayBufferView

const keyObjects = new WeakMap<object, KeyObject>()

const keyObjectOf = (secret: Exclude<SourceData, string>): KeyObject => {
  const cached = keyObjects.get(secret)
  if (cached) return cached
  const keyObject = createSecretKey(secret as NodeJS.ArrayBufferView)
  keyObjects.set(secret, keyObject)
  return keyObject
}

/**
 * The SHA-256 digest, or MAC with a secret, by which the SDK signs. The SDK keeps the signing key of a day as bytes, with
 * which Node 24 takes five times as long for a MAC as with a key object. Each digest is computed once.
 */
export class Sha256 {
  readonly #digest: Hash | Hmac

  constructor(secret?: SourceData) {
    if (secret === undefined) this.#digest = createHash('sha256')
    else this.#digest = createHmac('sha256', typeof secret === 'string' ? secret : keyObjectOf(secret))
  }

  update(data: Uint8Array): void {
    this.#digest.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#digest.digest()
  }

  reset(): never {
    throw new Error('A digest of the SDK is used once, so it cannot be reset')
  }
}

/** Disables the middleware of a client that costs time or interferes with `send`. */
export const adaptMiddleware = ({ middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  // `send` retries within the request's budget. The SDK's retries ignore it and stop after about thirty faults per process.
  const once = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const
  middlewareStack.add((next) => next, once)
  // The logger walks every response even if no log is requested, a quarter of the time of a list.
  middlewareStack.remove('loggerMiddleware')
  // The SDK rebuilds its user agent for each call. A constant is as useful in an audit trail.
  middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { 'user-agent': 'billing-data-api' })
      return next(args)
    },
    { name: 'getUserAgentMiddleware', step: 'build', priority: 'low', override: true },
  )
}

/** Lets calls be rehearsed: `rehearsedResponse` returns the text of a JSON object that takes the place of DynamoDB's response. */
export const answerRehearsals = (
  { middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>,
  rehearsedResponse: () => string | undefined,
): void =>
  middlewareStack.add(
    (next) => (args) => {
      const text = rehearsedResponse()
      if (text === undefined) return next(args)
      const response = { statusCode: 200, headers: {}, body: [Buffer.from(text)] }
      return Promise.resolve({ response } as never)
    },
    { name: 'rehearsalMiddleware', step: 'deserialize', priority: 'low' },
  )
