/**
 * The typed client of the Billing Data API: `createClient` creates one, whose calls reject with `BillingApiError`. The package
 * also has `billing-data-api/testing`, the real service in memory for tests. README.md documents both.
 *
 * @packageDocumentation
 */

export { createClient } from './client.ts'
export { BillingApiError, type CreateAllSummary, type ErrorEntry, type NotCreated } from './error.ts'
export type * from './generated.ts'
export { resources, VERSION } from './generated.ts'
export type * from './operations.ts'
export type { Attempt, AttemptResult, ClientOptions, Fetch } from './options.ts'
