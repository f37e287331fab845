import { attemptOnce, REQUEST_ID } from './attempt.ts'
import { VERSION } from './generated.ts'
import type { Limiter } from './limiter.ts'
import type { ApiResponse, CallOptions } from './operations.ts'
import type { Attempt, ClientOptions } from './options.ts'
import { argumentError, baseUrlFrom } from './request.ts'
import { CallAttempts } from './retry.ts'
import { pause } from './timers.ts'

/** A request of a call, which several attempts may send. */
export interface Request {
  readonly method: Attempt['method']
  /** The encoded path and query, relative to the base URL. */
  readonly path: string
  readonly body: string | null
}

/** The options of a call. The calls of a bulk operation share a limiter. */
export interface SendOptions extends CallOptions {
  readonly limiter?: Limiter | undefined
}

/**
 * Sends a request, and retries it after transient failures. A bulk operation also retries a few times after a 500, which the
 * body may cause each time. Resolves with a response with status 200 and its parsed body.
 */
export type Send = (request: Request, options: SendOptions) => Promise<ApiResponse<unknown>>

const DEFAULT_TIMEOUT_MILLIS = 10_000
const DEFAULT_RETRIES = 3
const DEFAULT_RETRY_FOR_MILLIS = 60_000
const BULK_RETRIES_AFTER_500 = 3

/** The names of the client's options. */
const optionNames = Object.keys({
  baseUrl: true,
  appId: true,
  apiKey: true,
  application: true,
  fetch: true,
  retries: true,
  retryFor: true,
  timeout: true,
  onRequest: true,
  onResponse: true,
} satisfies Record<keyof ClientOptions, true>)

const refuseUnknownOptions = (options: ClientOptions): void => {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name))
      throw new TypeError(`${name} is not an option; use one of: ${optionNames.join(' ')}`)
  }
}

/**
 * Throws TypeError unless a credential is text that a header can contain. The error shows only its invalid character, since a
 * key is secret.
 */
const requireCredential = (name: 'appId' | 'apiKey', credential: string | undefined): void => {
  if (!credential) throw argumentError('visible ASCII text', name, credential)
  const [invalid] = /[^!-~]/u.exec(credential) ?? []
  if (invalid) throw argumentError('visible ASCII text', name, invalid)
}

const isBrowser = (): boolean => /^Mozilla/.test(globalThis.navigator?.userAgent ?? '')

/** Returns the headers of every request. */
const defaultHeaders = ({ appId, apiKey, application = '' }: ClientOptions): Record<string, string> => {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'x-app-id': appId,
    accept: 'application/json',
    'content-type': 'application/json',
  }
  // In a browser, the header below would need the service's permission (CORS).
  if (isBrowser()) return headers
  return { ...headers, 'user-agent': `${application} billing-data-api/${VERSION}` }
}

/** Returns headers as one object with names in lower case. Later sources replace the headers of earlier ones. */
const mergedHeaders = (...sources: readonly object[]): Record<string, string> => {
  const merged = new Headers()
  for (const source of sources) for (const [name, value] of Object.entries(source)) merged.set(name, value)
  return Object.fromEntries(merged)
}

/** Returns the function that sends requests. Throws TypeError for an unknown, missing or invalid option. */
export const createSender = (options: ClientOptions): Send => {
  refuseUnknownOptions(options)
  requireCredential('appId', options.appId)
  requireCredential('apiKey', options.apiKey)
  const baseUrl = baseUrlFrom(options.baseUrl)
  const defaults = defaultHeaders(options)

  return async ({ method, path, body }, call) => {
    const { signal, limiter } = call
    const requestId = call.requestId ?? Math.random().toString(36).slice(2)
    const timeout = call.timeout ?? options.timeout ?? DEFAULT_TIMEOUT_MILLIS
    const attempts = new CallAttempts({
      retries: call.retries ?? options.retries ?? DEFAULT_RETRIES,
      retryFor: call.retryFor ?? options.retryFor ?? DEFAULT_RETRY_FOR_MILLIS,
      retriesAfter500: limiter ? BULK_RETRIES_AFTER_500 : 0,
    })
    const makeAttempt = async () => {
      const attempt: Attempt = { method, url: baseUrl + path, attempt: attempts.next, requestId }
      const added = (await options.onRequest?.(attempt)) ?? {}
      const headers = mergedHeaders(defaults, { [REQUEST_ID]: requestId }, call.headers ?? {}, added)
      signal?.throwIfAborted()
      attempts.begin()
      const start = performance.now()
      // The global fetch is read at each attempt, so that a replacement takes effect.
      const fetchOptions = { fetch: options.fetch ?? fetch, headers, body, timeout, signal }
      const { response, error } = await attemptOnce(attempt, fetchOptions)
      const millis = performance.now() - start
      const retryInMillis = error && !signal?.aborted ? attempts.delayAfter(error) : undefined
      const status = error ? error.status : 200
      await options.onResponse?.({ ...attempt, status, millis, error, retryInMillis })
      return { response, error, retryInMillis }
    }
    for (;;) {
      const attempted = limiter ? limiter.run(makeAttempt) : makeAttempt()
      const { response, error, retryInMillis } = await attempted
      if (response) return response
      signal?.throwIfAborted()
      if (retryInMillis === undefined) throw error
      await pause(retryInMillis, limiter?.signal ?? signal)
    }
  }
}
