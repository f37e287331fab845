import { attemptOnce, REQUEST_ID } from './attempt.ts'
import { VERSION } from './generated.ts'
import type { Answer, CallOptions } from './operations.ts'
import type { Attempt, ClientOptions } from './options.ts'
import { baseUrlFrom } from './request.ts'
import { delayBefore, pause } from './retry.ts'

/** A request as the operations make it. */
export interface Request {
  readonly method: Attempt['method']
  /** Below the base URL, encoded, with its query. */
  readonly path: string
  readonly body: string | null
}

/** Sends a request, and again where that may help. Returns the answer of its 200, with the parsed body. */
export type Send = (request: Request, options: CallOptions) => Promise<Answer<unknown>>

/** The one way to the service. Throws TypeError if an option is missing or cannot be sent. */
export const sender = (options: ClientOptions): Send => {
  const { appId, apiKey, application = '', onRequest, onResponse } = options
  for (const name of ['appId', 'apiKey'] as const)
    if (!/^[!-~]+$/.test(options[name] ?? '')) throw new TypeError(`${name} is missing or not ASCII`)
  const baseUrl = baseUrlFrom(options.baseUrl)
  const own = {
    authorization: `Bearer ${apiKey}`,
    'x-app-id': appId,
    accept: 'application/json',
    'content-type': 'application/json',
    // In a browser, a user agent of the page's own would need the service's permission (CORS).
    ...(!/^Mozilla/.test(globalThis.navigator?.userAgent) && {
      'user-agent': `${application} billing-data-api/${VERSION}`,
    }),
  }
  return async ({ method, path, body }, call) => {
    const {
      signal,
      timeout = options.timeout ?? 10_000,
      retries = options.retries ?? 3,
      requestId = Math.random().toString(36).slice(2),
    } = call
    const headers = new Headers({ ...own, [REQUEST_ID]: requestId })
    for (let attempt = 1; ; attempt += 1) {
      const seen = { method, url: baseUrl + path, attempt, requestId }
      for (const [name, value] of Object.entries({ ...call.headers, ...(await onRequest?.(seen)) }))
        headers.set(name, value as string)
      signal?.throwIfAborted()
      const start = performance.now()
      const { answer, error } = await attemptOnce(seen, {
        // Looked up at each attempt, so that a later replacement of the global fetch is used.
        fetch: options.fetch ?? fetch,
        headers: Object.fromEntries(headers),
        body,
        timeout,
        signal,
      })
      const retryInMillis =
        error && attempt <= retries && !signal?.aborted ? delayBefore(attempt - 1, error) : undefined
      const status = error?.status ?? 200
      await onResponse?.({ ...seen, status, millis: performance.now() - start, error, retryInMillis })
      if (answer) return answer
      signal?.throwIfAborted()
      if (retryInMillis == null) throw error
      await pause(retryInMillis, signal)
    }
  }
}
