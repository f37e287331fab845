import { BillingApiError, type ErrorEntry } from './error.ts'
import type { CallOptions } from './operations.ts'
import { delayBefore, pause, retryAfterFrom } from './retry.ts'

/** What the client needs of `fetch`; the global one has it. */
export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    signal: AbortSignal
    redirect: 'manual'
  },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

export interface ClientOptions {
  /** Where the API is, such as `https://billing.example.org`; a path in it is kept. */
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** How often a call is sent again after 429, 502, 503, 504 or no answer: 3 if not given. */
  readonly retries?: number | undefined
  /** Milliseconds that one attempt may take: 10,000 if not given. */
  readonly timeout?: number | undefined
}

/** A call as the operations make it. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the base URL, encoded, with its query. */
  readonly path: string
  readonly body?: unknown
}

/** Sends a request, again where that may help, and returns the parsed body of its 200. */
export type Send = (request: Request, options: CallOptions) => Promise<unknown>

const RETRIES = 3
const TIMEOUT_MILLIS = 10_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const entriesIn = (json: unknown): ErrorEntry[] => {
  const errors = (json as { errors?: unknown } | null | undefined)?.errors
  return Array.isArray(errors) ? errors : []
}

const describe = (status: number, errors: readonly ErrorEntry[]): string =>
  errors.length > 0
    ? `${status} ${errors[0]?.title}: ${errors.map(({ detail }) => detail).join(' ')}`
    : `${status}`

/** A signal that is aborted by the caller's or after `timeout` milliseconds, whichever is first. */
const limited = (timeout: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeout} ms`)), timeout)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const release = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, release }
}

const attempt = async (
  { fetch: send, baseUrl, appId, apiKey }: ClientOptions & { readonly fetch: Fetch },
  { method, path, body }: Request,
  signal: AbortSignal,
): Promise<unknown> => {
  const response = await send(`${baseUrl.replace(/\/+$/, '')}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-app-id': appId,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
    // Followed, a redirected create would become a list, and nothing would be created.
    redirect: 'manual',
  })
  const { status, headers } = response
  const json = parsed(await response.text())
  if (status === 200) {
    if (!Object(json).data) throw new Error('the answer is not one of the service, or not whole')
    return json
  }
  const errors = entriesIn(json)
  throw new BillingApiError(`${method} ${path}: ${describe(status, errors)}`, {
    status,
    errors,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterFrom(headers.get('retry-after')),
  })
}

/** The one way to the service; throws TypeError where the options lack something. */
export const sender = (options: ClientOptions): Send => {
  for (const name of ['baseUrl', 'appId', 'apiKey'] as const)
    if (!options[name]) throw new TypeError(`createClient: ${name} is missing`)
  // Looked up at each call, so that what replaces the global fetch later is used.
  const settings = { ...options, fetch: options.fetch ?? ((url, init) => fetch(url, init)) }
  return async (
    request,
    { signal, timeout = options.timeout ?? TIMEOUT_MILLIS, retries = options.retries ?? RETRIES },
  ) => {
    for (let retry = 0; ; retry += 1) {
      signal?.throwIfAborted()
      const limit = limited(timeout, signal)
      try {
        return await attempt(settings, request, limit.signal)
      } catch (cause) {
        signal?.throwIfAborted()
        const error = failure(request, cause, limit.signal)
        const delay = retry < retries ? delayBefore(retry, error) : undefined
        if (delay === undefined) throw error
        await pause(delay, signal)
      } finally {
        limit.release()
      }
    }
  }
}

// What fetch throws says only in its cause what happened.
const messagesOf = (error: unknown): string[] => {
  const { message, cause } = Object(error) as { message?: string; cause?: unknown }
  return [message || String(error), ...(cause == null ? [] : messagesOf(cause))]
}

const failure = (
  { method, path }: Request,
  thrown: unknown,
  { aborted, reason }: AbortSignal,
): BillingApiError => {
  if (thrown instanceof BillingApiError) return thrown
  const cause = aborted ? reason : thrown
  const why = messagesOf(cause).join(': ')
  return new BillingApiError(`${method} ${path}: no answer (${why})`, { status: 0 }, cause)
}
