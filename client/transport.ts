import { attemptOnce, REQUEST_ID } from './attempt.ts'
import type { BillingApiError } from './error.ts'
import { VERSION } from './generated.ts'
import type { ApiResponse, CallOptions } from './operations.ts'
import type { Attempt, ClientOptions } from './options.ts'
import type { Pace } from './pace.ts'
import { baseUrlFrom } from './request.ts'
import { delayBefore, isTransient, pause } from './retry.ts'

/** A request of an operation. */
export interface Request {
  readonly method: Attempt['method']
  /** Below the base URL, encoded, with its query. */
  readonly path: string
  readonly body: string | null
}

/** The options of a call and, in a bulk operation, the pace that its requests share. */
export interface SendOptions extends CallOptions {
  readonly pace?: Pace
}

/** Sends a request, and repeats it after transient failures. Returns the response with status 200 and the parsed body. */
export type Send = (request: Request, options: SendOptions) => Promise<ApiResponse<unknown>>

/** The retries of a 500 in a bulk operation: it may be temporary, or caused by its body every time. */
const RETRIES_OF_500 = 3

const OPTIONS = 'baseUrl appId apiKey application fetch retries retryFor timeout onRequest onResponse'
/** A test service may be passed as options. It has these members besides. */
const KNOWN = `${OPTIONS} readOnlyApiKey reset setTime faults stop`.split(' ')

/** The headers of every request. Throws TypeError for credentials that cannot be sent. */
const ownHeaders = (options: ClientOptions) => {
  const { appId, apiKey, application = '' } = options
  for (const name of ['appId', 'apiKey'] as const)
    if (!/^[!-~]+$/.test(options[name] ?? '')) throw new TypeError(`${name} is missing or not ASCII`)
  return {
    authorization: `Bearer ${apiKey}`,
    'x-app-id': appId,
    accept: 'application/json',
    'content-type': 'application/json',
    // In a browser, a user agent of the page's own would need the service's permission (CORS).
    ...(!/^Mozilla/.test(globalThis.navigator?.userAgent) && {
      'user-agent': `${application} billing-data-api/${VERSION}`,
    }),
  }
}

/** Creates the function that sends requests. Throws TypeError for an unknown, missing or invalid option. */
export const sender = (options: ClientOptions): Send => {
  for (const name of Object.keys(options))
    if (!KNOWN.includes(name)) throw new TypeError(`${name} is not an option; known are: ${OPTIONS}`)
  const { onRequest, onResponse } = options
  const own = ownHeaders(options)
  const baseUrl = baseUrlFrom(options.baseUrl)
  return async (request, call) => {
    const { signal, pace, retries = options.retries ?? 3, retryFor = options.retryFor ?? 60_000 } = call
    const { requestId = Math.random().toString(36).slice(2) } = call
    const headers = new Headers({ ...own, [REQUEST_ID]: requestId })
    const { method, path, body } = request
    let begun: number | undefined
    /** The pause before the next attempt; undefined if there is none. */
    const retryIn = (attempt: number, error: BillingApiError): number | undefined => {
      const mayPass = isTransient(error) || (pace && error.status === 500 && attempt <= RETRIES_OF_500)
      const delay = delayBefore(attempt - 1, error)
      const isInTime = attempt <= retries && performance.now() - (begun as number) + delay <= retryFor
      return mayPass && isInTime && !signal?.aborted ? delay : undefined
    }
    const makeAttempt = async (attempt: number) => {
      const seen = { method, url: baseUrl + path, attempt, requestId }
      for (const [name, value] of Object.entries({ ...call.headers, ...(await onRequest?.(seen)) }))
        headers.set(name, value as string)
      signal?.throwIfAborted()
      const start = performance.now()
      begun ??= start
      const { timeout = options.timeout ?? 10_000 } = call
      // The global fetch is looked up at each attempt, so that a later replacement is used.
      const means = { fetch: options.fetch ?? fetch, headers: Object.fromEntries(headers), timeout }
      const { response, error } = await attemptOnce(seen, { ...means, body, signal })
      const retryInMillis = error && retryIn(attempt, error)
      const status = error?.status ?? 200
      await onResponse?.({ ...seen, status, millis: performance.now() - start, error, retryInMillis })
      return { response, error, retryInMillis }
    }
    for (let attempt = 1; ; attempt += 1) {
      const { response, error, retryInMillis } = await (pace
        ? pace.run(() => makeAttempt(attempt))
        : makeAttempt(attempt))
      if (response) return response
      signal?.throwIfAborted()
      if (retryInMillis == null) throw error
      await pause(retryInMillis, pace?.signal ?? signal)
    }
  }
}
