import { attemptOnce, REQUEST_ID } from './attempt.ts'
import type { BillingApiError } from './error.ts'
import { VERSION } from './generated.ts'
import type { Limiter } from './limiter.ts'
import type { ApiResponse, CallOptions } from './operations.ts'
import type { Attempt, ClientOptions } from './options.ts'
import { baseUrlFrom, mustBe } from './request.ts'
import { delayBefore, isTransient, pause } from './retry.ts'

export interface Request {
  readonly method: Attempt['method']
  /** The encoded path and query, relative to the base URL. */
  readonly path: string
  readonly body: string | null
}

/** The options of a call. The requests of a bulk operation share a limiter. */
export interface SendOptions extends CallOptions {
  readonly limiter?: Limiter
}

/** Sends a request and retries it after transient failures. Resolves with a response of status 200 and its parsed body. */
export type Send = (request: Request, options: SendOptions) => Promise<ApiResponse<unknown>>

/** The maximum number of retries of a 500 in a bulk operation: it may be transient, or its body may cause it every time. */
const RETRIES_OF_500 = 3

const OPTIONS = 'baseUrl appId apiKey application fetch retries retryFor timeout onRequest onResponse'
/** The service of the test double can be passed as options, and has more members. */
const KNOWN = `${OPTIONS} readOnlyApiKey reset setTime faults stop`.split(' ')

/** Returns the headers of every request. Throws TypeError for credentials that are missing or cannot be sent. */
const defaultHeaders = (options: ClientOptions) => {
  const { appId, apiKey, application = '' } = options
  for (const name of ['appId', 'apiKey'] as const) {
    const wrong = /[^!-~]|^$/u.exec(options[name] ?? '')
    // Only the wrong character is shown, since a key is secret.
    if (wrong) throw mustBe('visible ASCII text', name, wrong[0] || options[name])
  }
  return {
    authorization: `Bearer ${apiKey}`,
    'x-app-id': appId,
    accept: 'application/json',
    'content-type': 'application/json',
    // In a browser, this header would need the service's permission (CORS).
    ...(!/^Mozilla/.test(globalThis.navigator?.userAgent) && {
      'user-agent': `${application} billing-data-api/${VERSION}`,
    }),
  }
}

/** Returns the function that sends requests. Throws TypeError for an unknown, missing or invalid option. */
export const sender = (options: ClientOptions): Send => {
  for (const name of Object.keys(options))
    if (!KNOWN.includes(name)) throw new TypeError(`${name} is not an option; known are: ${OPTIONS}`)
  const { onRequest, onResponse } = options
  const defaults = defaultHeaders(options)
  const baseUrl = baseUrlFrom(options.baseUrl)
  return async (request, call) => {
    const { signal, limiter, retries = options.retries ?? 3, retryFor = options.retryFor ?? 60_000 } = call
    const { requestId = Math.random().toString(36).slice(2) } = call
    const headers = new Headers({ ...defaults, [REQUEST_ID]: requestId })
    const { method, path, body } = request
    let begun: number | undefined
    const retryIn = (attempt: number, error: BillingApiError): number | undefined => {
      const mayPass = isTransient(error) || (limiter && error.status === 500 && attempt <= RETRIES_OF_500)
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
      // The global fetch is read at each attempt, so that a replacement takes effect.
      const init = { fetch: options.fetch ?? fetch, headers: Object.fromEntries(headers), timeout }
      const { response, error } = await attemptOnce(seen, { ...init, body, signal })
      const retryInMillis = error && retryIn(attempt, error)
      const status = error?.status ?? 200
      await onResponse?.({ ...seen, status, millis: performance.now() - start, error, retryInMillis })
      return { response, error, retryInMillis }
    }
    for (let attempt = 1; ; attempt += 1) {
      const { response, error, retryInMillis } = await (limiter
        ? limiter.run(() => makeAttempt(attempt))
        : makeAttempt(attempt))
      if (response) return response
      signal?.throwIfAborted()
      if (retryInMillis == null) throw error
      await pause(retryInMillis, limiter?.signal ?? signal)
    }
  }
}
