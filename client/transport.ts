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

/**
 * Sends a request and retries it after transient failures, in a bulk operation also a few times after a 500, which its body may
 * cause every time. Resolves with a response of status 200 and its parsed body.
 */
export type Send = (request: Request, options: SendOptions) => Promise<ApiResponse<unknown>>

const OPTIONS = 'baseUrl appId apiKey application fetch retries retryFor timeout onRequest onResponse'
/** The service of the test double can be passed as options, and has more members. */
const KNOWN = `${OPTIONS} readOnlyApiKey reset setTime faults stop`.split(' ')

/** Returns the headers of every request. Throws TypeError for an unknown option, or credentials that are missing or cannot be sent. */
const defaultHeaders = (options: ClientOptions) => {
  for (const name of Object.keys(options))
    if (!KNOWN.includes(name)) throw new TypeError(`${name} is not an option; known are: ${OPTIONS}`)
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
  const defaults = defaultHeaders(options)
  const baseUrl = baseUrlFrom(options.baseUrl)
  return async ({ method, path, body }, call) => {
    const { signal, limiter, timeout = options.timeout ?? 10_000 } = call
    const { retries = limiter ? Infinity : (options.retries ?? 3) } = call
    const { retryFor = limiter ? 600_000 : (options.retryFor ?? 60_000) } = call
    const { requestId = Math.random().toString(36).slice(2) } = call
    const headers = new Headers({ ...defaults, [REQUEST_ID]: requestId })
    let begun: number | undefined
    let attempt = 0
    let retriesOf500 = 3
    const retryIn = (error: BillingApiError, ended: number): number | undefined => {
      const mayPass = isTransient(error) || (limiter && error.status === 500 && retriesOf500-- > 0)
      const delay = delayBefore(attempt - 1, error)
      const isInTime = ended - (begun as number) + delay <= retryFor
      return mayPass && isInTime && attempt <= retries && !signal?.aborted ? delay : undefined
    }
    const makeAttempt = async () => {
      attempt += 1
      const seen = { method, url: baseUrl + path, attempt, requestId }
      for (const [name, value] of Object.entries({ ...call.headers, ...(await options.onRequest?.(seen)) }))
        headers.set(name, value as string)
      signal?.throwIfAborted()
      const start = performance.now()
      begun ??= start
      // The global fetch is read at each attempt, so that a replacement takes effect.
      const init = { fetch: options.fetch ?? fetch, headers: Object.fromEntries(headers), timeout }
      const result = await attemptOnce(seen, { ...init, body, signal })
      const { error } = result
      const ended = performance.now()
      const retryInMillis = error && retryIn(error, ended)
      const status = error?.status ?? 200
      await options.onResponse?.({ ...seen, status, millis: ended - start, error, retryInMillis })
      return { ...result, retryInMillis }
    }
    for (;;) {
      const { response, error, retryInMillis } = await (limiter ? limiter.run(makeAttempt) : makeAttempt())
      if (response) return response
      signal?.throwIfAborted()
      if (retryInMillis == null) throw error
      await pause(retryInMillis, limiter?.signal ?? signal)
    }
  }
}
