/** Limits are in requests per second. Requests beyond them get 429. */
export interface Throttle {
  readonly rate: number
  readonly burst: number
}

export interface StageSettings {
  /** The email address that receives alarms. Its owner must first confirm the subscription. */
  readonly alarmEmail?: string
  /**
   * The ARN of the operator's KMS key for the table and all log groups; AWS-owned keys by default. Its policy
   * must let the services use it (docs/operating.md, "Your own encryption key").
   */
  readonly keyArn?: string
  /** API Gateway has no limit for a stage: all methods together admit the sum of their rates. */
  readonly throttle: {
    /**
     * Of each method that reads, and of each response that the gateway gives itself. The greater rate of this
     * and `write` is also the firewall's limit for one application, unless it has its own
     * (`applicationRate`).
     */
    readonly read: Throttle
    readonly write: Throttle
    readonly document: Throttle
    /** The limit of each public file of /docs and /console. The largest has 1.26 MB. */
    readonly page: Throttle
  }
  readonly functions: {
    /**
     * Memory in MB. Processor time is proportional to it: one core at 1,769 (docs/performance.md, "Costs").
     */
    readonly memoryMb: number
    /** Each function takes it from the account's quota. A unit admits 10 requests a second at most. */
    readonly reserved?: number
    /**
     * The reserved concurrency of each function that can update entities, also by a create, by default
     * `reserved`. Updates of one entity wait for each other, up to a second and a half each, so they occupy
     * more instances than other requests and need a ceiling of their own.
     */
    readonly reservedForUpdates?: number
    /** The provisioned instances of each function, which cost money while idle. */
    readonly provisioned?: number
  }
  readonly table: {
    /** Whether the table is protected against deletion and outlives the stack. */
    readonly kept: boolean
    /** Maximum request units per second of the table and of each index, which bound the cost of a mistake. */
    readonly ceiling?: { readonly read: number; readonly write: number }
    /** N, to use the table `OWN-restored-N` instead of the stack's OWN (docs/operating.md, "Restore"). */
    readonly restored?: number
  }
  /**
   * Whether every create and change puts an event on a bus of the stack (docs/events.md). Turning events on
   * takes two deployments, `'stream'` and then `true`; turning them off takes the same two in reverse. With
   * `table.restored`, the label of the restored table's stream replaces `true`.
   */
  readonly events?: boolean | 'stream' | { readonly streamLabel: string }
  readonly logs: {
    /** Retention in days; CloudWatch accepts these numbers only. */
    readonly days: 7 | 14 | 30 | 60 | 90 | 180 | 365 | 731
    /** Whether Lambda adds its start, end and report lines for each request. */
    readonly platform: boolean
  }
  /**
   * X-Ray records the first request of each second and 5 % of the others. It keeps their URLs, with the ids
   * and cursors of clients, and their callers' addresses for 30 days, readable by everyone who can read
   * traces.
   */
  readonly tracing: boolean
  /** The firewall, or false for none. */
  readonly firewall:
    | {
        /**
         * The limit of one application with one key, in requests per second, at least 1. It should be far
         * below the limit of a method that writes, so that one application cannot use up a method's rate; by
         * default it is the highest limit of a method.
         */
        readonly applicationRate?: number
        /** Requests per second, at least 1; by default the limit of one application. */
        readonly addressRate?: number
        /** Whether blocked requests are logged, with address and path but without API key. */
        readonly log: boolean
      }
    | false
  /** The operator's own. The generated address continues to work, so clients can move when it suits them. */
  readonly domain?: {
    readonly name: string
    /** The ARN of a certificate for that name, in the same region. */
    readonly certificateArn: string
    /**
     * The hosted zone in which the stack creates the DNS record. Without it, the operator creates the record.
     */
    readonly hostedZone?: { readonly id: string; readonly name: string }
    /** Disables the generated address, which then responds with 403. */
    readonly only?: boolean
  }
  /** The only origin whose pages can call the API from a browser, or `*`. */
  readonly corsOrigin?: string
  /** Whether the public documentation page is served at /docs, next to the document at /openapi.json. */
  readonly docs: boolean
  /** Whether the console, a page to look at the data with an API key, is served at /console. */
  readonly console: boolean
  /** The stack sets the role with which API Gateway logs. Only one stack of an account and region sets it. */
  readonly gatewayLogRole: boolean
  /** Sends an email when a month's costs exceed 80 % of this, or are forecast to exceed all of it. */
  readonly budget?: { readonly dollars: number; readonly email: string }
  readonly tags: Readonly<Record<string, string>>
}

const dev: StageSettings = {
  throttle: {
    read: { rate: 50, burst: 100 },
    write: { rate: 50, burst: 100 },
    document: { rate: 5, burst: 10 },
    page: { rate: 1, burst: 5 },
  },
  functions: { memoryMb: 1_024 },
  table: { kept: false, ceiling: { read: 500, write: 500 } },
  logs: { days: 7, platform: true },
  tracing: false,
  firewall: { log: false },
  docs: false,
  console: false,
  gatewayLogRole: true,
  tags: { service: 'billing-data-api', stage: 'dev' },
}

const prod: StageSettings = {
  throttle: {
    read: { rate: 500, burst: 1_000 },
    write: { rate: 300, burst: 600 },
    document: { rate: 10, burst: 20 },
    page: { rate: 1, burst: 5 },
  },
  functions: { memoryMb: 1_024, reservedForUpdates: 160 },
  table: { kept: true, ceiling: { read: 10_000, write: 4_000 } },
  logs: { days: 90, platform: false },
  tracing: false,
  firewall: { applicationRate: 150, log: false },
  docs: false,
  console: false,
  gatewayLogRole: true,
  tags: { service: 'billing-data-api', stage: 'prod' },
}

/** Leaves out what another stack cannot share: domain, events (they take two deployments), restored table. */
const portableSettings = ({ domain: _, events: __, ...settings }: StageSettings): StageSettings => {
  const { restored: ___, ...table } = settings.table
  return { ...settings, table }
}

const { keyArn: _, ...standbySettings } = portableSettings(prod)

/**
 * Production in a second region, for the loss of the first (docs/operating.md, "Lost region"). It has the
 * settings of `prod` that are valid in any region. Set its own `keyArn` here, and a `domain` with the same
 * name, its own certificate and no `hostedZone`, because the DNS record points to the first region.
 */
const standby: StageSettings = {
  ...standbySettings,
  tags: { service: 'billing-data-api', stage: 'standby' },
}

/** The stages by their name in `-c stage=`. */
export const stages = { dev, prod, standby } as const satisfies Record<string, StageSettings>

/**
 * One of `stages`, or `dev-NAME`, which has the settings of `dev` that another stage can have. Throws Error,
 * with the names of the stages, for any other name.
 */
export const stageSettings = (name: string): StageSettings => {
  if (Object.hasOwn(stages, name)) return stages[name as keyof typeof stages]
  // The stack's name becomes a part of others, the longest of which has 64 characters.
  if (!/^dev-[a-z0-9-]{1,20}$/.test(name))
    throw new Error(
      `There is no stage "${name}"; lib/stages.ts has: ${Object.keys(stages).join(', ')}; dev-NAME, in lower case, has the settings of dev`,
    )
  // The stack of dev sets the role with which API Gateway logs.
  return { ...portableSettings(stages.dev), gatewayLogRole: false, tags: { ...dev.tags, stage: name } }
}
