import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/*
 * Changes to the SDK by names that it does not document. `lib/bundle/left-out.ts` has those made in a bundle. Each has a test in
 * test/store/aws/internals.test.ts, which fails when an upgrade renames the part or no longer needs the change.
 */

/** Collects a response body. The SDK's own collector pipes into a stream that survives young-generation GC, 5 ms a cycle. */
export const streamCollector = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
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
