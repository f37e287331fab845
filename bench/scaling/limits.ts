/** The figures that bound the service, as AWS publishes them and as `lib/stages.ts` sets them for `prod`. */

/** DynamoDB, per second unless said otherwise. */
export const dynamodb = {
  partitionWrites: 1_000,
  partitionReads: 3_000,
  partitionGigabytes: 10,
  /** Of one on-demand table, and of each of its indexes; raised on request. */
  tableUnits: 40_000,
} as const

/** Quotas of an account and region; raised on request. */
export const account = { gatewayRequests: 10_000, lambdaConcurrency: 1_000 } as const

/** On-demand prices in us-east-1, in dollars. */
export const price = { perMillionWrites: 0.625, perMillionReads: 0.125, perGigabyteMonth: 0.25 } as const

/** What one request costs, counted by `npm run bench -- P7 P8`; how long a function is busy with it is assumed. */
export const cost = {
  /** An invoice with its subscription: a transaction of two items, each with one entry in the list index. */
  invoice: { table: 4, invoicesList: 1, subscriptionsList: 1, reads: 2, millis: 30 },
  create: { table: 1, list: 1, millis: 15 },
  retrieve: { reads: 1, millis: 10 },
  list: { reads: 1, millis: 15 },
} as const
