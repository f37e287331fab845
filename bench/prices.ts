import { stageSettings } from '../lib/stages.ts'

/** Public list prices in US dollars, region us-east-1, without free tiers and volume discounts, as of November 2025. */
export const priceDate = 'November 2025'

export const prices = {
  /** Per million requests of a REST API. */
  gateway: 3.5,
  /** Per million requests inspected by the firewall. */
  firewall: 0.6,
  /** Per million invocations, and per GB-second on arm64. */
  invocations: 0.2,
  gigabyteSecond: 0.000_013_333_4,
  /** Per million request units on demand. */
  writeUnits: 0.625,
  readUnits: 0.125,
  /** Per GB taken in by CloudWatch Logs. */
  logs: 0.5,
  /** Per million recorded traces; X-Ray records a twentieth of the requests. */
  traces: 5,
} as const

export const tracedShare = 0.05

/** Figures that cannot be measured without AWS. */
export const assumed = {
  memoryGb: stageSettings('prod').functions.memoryMb / 1_024,
  /** A warm function's own work: more than "warm answer" of `npm run bench -- P4`, since Lambda's cores may be slower. */
  ownMillis: 5,
  /** One call of DynamoDB within the region. */
  callMillis: 6,
  /** A line of the gateway's access log, with the 26 bytes that CloudWatch adds. */
  accessLogBytes: 450,
} as const
