import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { budget } from '../budget.ts'
import { Clock, type Moment } from '../clock.ts'
import { readSettings, type ServiceSettings } from '../config.ts'
import type { Spread } from '../contract/call.ts'
import { randomText } from '../ids.ts'
import { Database } from './aws/database.ts'

/** The application authenticated by a request's credentials. */
export interface Application {
  readonly id: string
  /** Undefined for a key that an earlier release created. */
  readonly name: string | undefined
  readonly keyId: string
  /** The random secret for its cursors, base64. */
  readonly cursorSecret: string
  readonly spread: Spread
}

/** A verified API key. */
export interface CachedKey {
  readonly application: Application
  readonly lookedUpAt: Moment
  /** RFC 3339; undefined if the key does not expire. */
  readonly expires: string | undefined
}

/** How long a verified key is cached, in milliseconds. A revoked key stops working within this time. */
export const CACHE_MILLIS = 60_000

/**
 * The parts that all requests to one service share. The code that starts the service may replace them. A
 * Lambda function is one service; a process of tests may run several.
 */
export interface Service {
  clock: Clock
  settings: () => ServiceSettings
  readonly database: Database
  /** The verified API keys, by application and hash. */
  keyCache: Map<string, CachedKey>
  /** How long a verified key is cached, in milliseconds. */
  keyCacheMillis: number
  /** Writes a line of the log, which is JSON. */
  log: (line: string) => void
  /** The end of an order, which distinguishes entities that two processes make at the same instant. */
  orderSuffix: (id: string) => string
  /** In a rehearsal: the text of a JSON object that takes the place of DynamoDB's response to each call. */
  rehearsedResponse?: string
}

/** Creates the service of a deployed function, with these parts in place of its own. */
export const createService = (parts: Partial<Service> = {}): Service => ({
  clock: new Clock(),
  settings: readSettings,
  database: new Database({
    endpoint: () => currentService().settings().endpoint,
    clock: () => currentService().clock,
    rehearsedResponse: () => currentService().rehearsedResponse,
  }),
  keyCache: new Map(),
  keyCacheMillis: CACHE_MILLIS,
  log: (line) => void process.stdout.write(`${line}\n`),
  orderSuffix: () => randomText(10),
  ...parts,
})

/** What the code of a request knows without being told. */
interface RequestContext {
  readonly service: Service
  /** When its calls of DynamoDB must have ended, by `performance.now()`; undefined outside a request. */
  readonly deadline?: number
}

const contexts = new AsyncLocalStorage<RequestContext>()
let processService: Service | undefined

/** The service that the current request belongs to or, outside `inService`, the service of the process. */
export const currentService = (): Service => {
  const context = contexts.getStore()
  if (context) return context.service
  processService ??= createService()
  return processService
}

/** Runs `work`, and everything that it starts, in a service. */
export const inService = <T>(service: Service, work: () => T): T =>
  contexts.run({ ...contexts.getStore(), service }, work)

/**
 * Runs `work`, a request or a part of it, with one deadline for all of its calls. `functionMillis` is the
 * time left until the Lambda timeout, in milliseconds; undefined if it is unknown.
 */
export const withinBudget = <T>(functionMillis: number | undefined, work: () => Promise<T>): Promise<T> => {
  const functionBudget =
    functionMillis === undefined ? Number.POSITIVE_INFINITY : functionMillis - budget.responseReserve
  const deadline = performance.now() + Math.min(budget.request, functionBudget)
  return contexts.run({ service: currentService(), deadline }, work)
}

/** The milliseconds left of the current request's budget; the whole budget outside a request. */
export const remainingMillis = (): number => {
  const deadline = contexts.getStore()?.deadline
  return deadline === undefined ? budget.request : Math.max(0, Math.ceil(deadline - performance.now()))
}

export const dynamodb = (): DynamoDBDocumentClient => currentService().database.client

export const tableName = (): string => currentService().settings().table
