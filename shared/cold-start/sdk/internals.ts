import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/*
 * Changes to the SDK through names that it does not document. (`../left-out.ts` changes the SDK in bundles.) Each change has a
 * test in test/cold-start/internals.test.ts, which fails if an upgrade renames the part or makes the change unnecessary.
 */

/**
 * The bytes of a response body. The SDK's own collector pipes the body into a stream, which survives
 * collections of the young generation and so makes each of them take 5 ms.
 */
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
 * The class with which the SDK signs: a SHA-256 digest or, with a secret, a MAC. The SDK keeps the signing
 * key of a day as bytes, with which Node 24 takes five times as long for a MAC as with a key object. An
 * instance computes one digest.
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

/** Replaces the middlewares of a client that cost time or interfere with `send`. */
export const adaptMiddleware = ({ middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  // `send` retries within the request's budget. The SDK's retries ignore it and stop after about thirty
  // faults per process.
  middlewareStack.add((next) => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  })
  // The logger traverses every response even if no log is requested, which takes a quarter of the time of a
  // list.
  middlewareStack.remove('loggerMiddleware')
  // The SDK composes its user agent for each call. A constant serves an audit trail as well.
  middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { 'user-agent': 'billing-data-api' })
      return next(args)
    },
    { name: 'getUserAgentMiddleware', step: 'build', priority: 'low', override: true },
  )
}

/**
 * Makes rehearsals possible. While `rehearsedResponse` returns the text of a JSON object, calls get it
 * instead of a response of DynamoDB.
 */
export const answerRehearsals = (
  { middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>,
  rehearsedResponse: () => string | undefined,
): void =>
  middlewareStack.add(
    (next) => (args) => {
      const text = rehearsedResponse()
      if (text === undefined) return next(args)
      const response = { statusCode: 200, headers: {}, body: [Buffer.from(text)] }
      // The deserializer, which encloses this middleware, reads only the response.
      return Promise.resolve({ response } as Awaited<ReturnType<typeof next>>)
    },
    { name: 'rehearsalMiddleware', step: 'deserialize', priority: 'low' },
  )
