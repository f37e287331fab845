/** How many requests are answered before the rest get 429: steadily per second, and at once. */
export interface Throttle {
  readonly rate: number
  readonly burst: number
}

/** Everything in which one deployment differs from another; nothing else about a stage is written anywhere. */
export interface StageSettings {
  /** Receives the alarms, after confirming the subscription. */
  readonly alarmEmail?: string
  /**
   * The operator's own KMS key for the table, all log groups and the topic of alarms; without it AWS's keys. Its policy
   * must let the services use it (docs/operating.md, "A key of your own").
   */
  readonly keyArn?: string
  readonly throttle: {
    /** All methods together. */
    readonly stage: Throttle
    /**
     * Each method that reads, and each that writes. The greater of the two rates is also what the firewall takes from
     * one address and from one application (`clientRate`), so it must not exceed half of the stage's.
     */
    readonly read: Throttle
    readonly write: Throttle
    /** The document at /openapi.json and the pages at /docs, which anybody may ask for. */
    readonly document: Throttle
  }
  readonly functions: {
    /** Processor time comes in proportion: one core at 1,769 (docs/operating.md, "Memory"). */
    readonly memoryMb: number
    /** The most of each function at once; it is taken out of the account's quota. */
    readonly reserved?: number
    /** As many of each function kept warm; they cost while they wait. */
    readonly provisioned?: number
  }
  readonly table: {
    /** Kept when the stack is deleted, and protected against deletion. */
    readonly kept: boolean
    /** Request units per second, for the table and for each index, that bound what a mistake may cost. */
    readonly ceiling?: { readonly read: number; readonly write: number }
    /** A table restored from a backup, used instead of the stack's own (docs/operating.md, "Restore"). */
    readonly restored?: string
  }
  /** A backup a day in a vault of AWS Backup, besides the 35 days to any second of which the table can be restored. */
  readonly backups?: {
    readonly days: number
    /** The ARN of a vault in another region or account that gets a copy of each. */
    readonly copyTo?: string
  }
  readonly logs: {
    /** One of the numbers that CloudWatch takes. */
    readonly days: 7 | 14 | 30 | 60 | 90 | 180 | 365 | 731
    /** Whether Lambda writes a start, end and report line for each request besides our own. */
    readonly platform: boolean
  }
  /** False leaves the firewall out. */
  readonly firewall:
    | {
        /** Keeps the requests that it refuses, with addresses and paths but without API keys, as long as other logs. */
        readonly log: boolean
      }
    | false
  /** New code gets a tenth of the requests for five minutes, and goes back when an alarm rings. */
  readonly canary: boolean
  /** A name of the operator's own. The generated address goes on answering, so clients move at their leisure. */
  readonly domain?: {
    readonly name: string
    /** A certificate of the same region for that name. */
    readonly certificateArn: string
    /** The zone that the name is entered in; without it the operator enters the name. */
    readonly hostedZone?: { readonly id: string; readonly name: string }
    /** Switches the generated address off: clients that still use it get 403. */
    readonly only?: boolean
  }
  /** The one origin whose pages may call the API from a browser, or `*`. */
  readonly corsOrigin?: string
  /** Whether the documentation page is served at /docs, beside the document at /openapi.json, to anybody. */
  readonly docs: boolean
  /** Whether the stack sets the role with which API Gateway logs, of which an account and region has one. */
  readonly gatewayLogRole: boolean
  /** Mails when the account's costs of a month pass 80 % of so many US dollars, or are going to pass them. */
  readonly budget?: { readonly dollars: number; readonly email: string }
  /** Put on every resource that takes tags. */
  readonly tags: Readonly<Record<string, string>>
}

const dev: StageSettings = {
  throttle: {
    stage: { rate: 100, burst: 200 },
    read: { rate: 50, burst: 100 },
    write: { rate: 50, burst: 100 },
    document: { rate: 5, burst: 10 },
  },
  functions: { memoryMb: 1_024 },
  table: { kept: false, ceiling: { read: 500, write: 500 } },
  logs: { days: 7, platform: true },
  firewall: { log: false },
  canary: false,
  docs: true,
  gatewayLogRole: true,
  tags: { service: 'billing-data-api', stage: 'dev' },
}

const prod: StageSettings = {
  throttle: {
    stage: { rate: 1_000, burst: 2_000 },
    read: { rate: 500, burst: 1_000 },
    write: { rate: 300, burst: 600 },
    document: { rate: 10, burst: 20 },
  },
  functions: { memoryMb: 1_024 },
  table: { kept: true, ceiling: { read: 10_000, write: 4_000 } },
  logs: { days: 90, platform: false },
  firewall: { log: false },
  canary: true,
  docs: false,
  gatewayLogRole: true,
  tags: { service: 'billing-data-api', stage: 'prod' },
}

/** The deployments, by the name given with `-c stage=`. */
export const stages = { dev, prod } as const satisfies Record<string, StageSettings>

/** The settings of a stage; throws, naming those there are, for any other name. */
export const stageSettings = (name: string): StageSettings => {
  if (!Object.hasOwn(stages, name))
    throw new Error(`There is no stage "${name}"; lib/stages.ts has: ${Object.keys(stages).join(', ')}`)
  return stages[name as keyof typeof stages]
}
