import type { BillingApiError } from './error.ts'
import type { CallOptions, CallSignal } from './operations.ts'

/** The part of `fetch` that the client uses. @example const logged: Fetch = (url, init) => (console.log(url), fetch(url, init)) */
export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body: string | null
    signal: CallSignal
    redirect: 'manual'
    cache?: 'no-store'
  },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

/** One request of a call. Neither it nor its result contains the API key. @example const log = ({ method, url }: Attempt) => console.log(method, url) */
export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  /** The number of the attempt within its call, from 1. */
  readonly attempt: number
  /** The `x-request-id` that is sent, the same in all attempts of a call. */
  readonly requestId: string
}

/** An attempt that has ended. @example const log = ({ url, status, millis }: AttemptResult) => console.log(url, status, millis) */
export interface AttemptResult extends Attempt {
  /** The HTTP status; 0 without a complete response. */
  readonly status: number
  /** The milliseconds from sending the request to the end of the response. */
  readonly millis: number
  /** The error of a failed attempt; undefined if it succeeded. */
  readonly error: BillingApiError | undefined
  /** The milliseconds until the next attempt; undefined if there is none. */
  readonly retryInMillis: number | undefined
}

/** The options of `createClient`. @example const options: ClientOptions = { baseUrl: 'http://localhost:3000', appId: 'app_1', apiKey: 'bdk_1' } */
export interface ClientOptions {
  /** The URL of the API, such as `https://billing.example.org`. It may have a path. */
  readonly baseUrl: string
  /** The id of the application, such as `app_0123456789abcdef`. */
  readonly appId: string
  readonly apiKey: string
  /** Names your application in the `user-agent`, such as `shop/1.4`. Browsers send their own instead. */
  readonly application?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** The maximum number of retries after 429, 502, 503, 504 or no response. Default: 3. */
  readonly retries?: number | undefined
  /** The time in milliseconds, from the first attempt of a call, after which no retry begins. Default: 60,000. */
  readonly retryFor?: number | undefined
  /** The time limit of one attempt in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined
  /**
   * Called before each attempt. May return headers to add to it. The attempt waits for its promise, and the call rejects
   * with its error.
   */
  readonly onRequest?: // biome-ignore lint/suspicious/noConfusingVoidType: a hook that returns nothing
  ((attempt: Attempt) => CallOptions['headers'] | void | Promise<CallOptions['headers'] | void>) | undefined
  /** Called after each attempt. The call waits for its promise, and rejects with its error. */
  readonly onResponse?: ((result: AttemptResult) => unknown) | undefined
}
