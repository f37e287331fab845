/**
 * The typed client of the Billing Data API: `createClient` makes one, `BillingApiError` is what its calls reject with.
 * `billing-data-api/testing` is the service itself, in memory, for tests. README.md documents both.
 *
 * @packageDocumentation
 */

export { createClient } from './client.ts'
export { BillingApiError, type ErrorEntry } from './error.ts'
export type * from './generated.ts'
export type * from './operations.ts'
export type { Attempt, AttemptResult, ClientOptions, Fetch } from './options.ts'
