import { BillingApiError, type ErrorEntry } from './error.ts'
import type { ApiResponse } from './operations.ts'
import type { Attempt, Fetch } from './options.ts'
import { retryAfterFrom } from './retry.ts'
import { endAfter } from './timers.ts'

/** The header with the id of a request. */
export const REQUEST_ID = 'x-request-id'

/** The members of a response's body that the client reads. */
interface ResponseBody {
  readonly data?: unknown
  readonly errors?: unknown
}

/** Returns the parsed body of a response; undefined if it is not JSON, or is null. */
const parsedBody = (text: string): ResponseBody | undefined => {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

/** Returns the problem of a body with status 200 and without data. An empty text or the start of an object was cut off. */
const bodyProblem = (text: string, contentType: string | null): string => {
  const isCutOff = parsedBody(text) === undefined && /^(\{|$)/.test(text)
  if (isCutOff) return 'the response is incomplete'
  return `the response is not from this service (its content type is ${contentType}); is baseUrl right?`
}

/**
 * The option with which no response is stored. Next.js 13 and 14 keep every response on disk for a year without it, also one with
 * a person who was erased since. Runtimes that do not know the option throw an error, such as older Cloudflare Workers.
 */
const cacheOption = (): { readonly cache?: 'no-store' } => {
  const option = { cache: 'no-store' } as const
  try {
    new Request('http://localhost', option)
    return option
  } catch {
    return {}
  }
}

/** Returns the text of a failed response: its status, the title of its errors and their details. */
const failureText = (status: number, errors: readonly ErrorEntry[]): string => {
  const [first] = errors
  if (!first) return `${status}`
  return `${status} ${first.title}: ${errors.map(({ detail }) => detail).join(' ')}`
}

/** Returns the message of an error with the message of its cause. The message of fetch's own errors is only "fetch failed". */
const reasonOf = (error: unknown): string => {
  const cause = (error as { readonly cause?: unknown } | undefined)?.cause
  return cause ? `${error}: ${cause}` : `${error}`
}

/** The input of an attempt that hooks do not receive. */
interface FetchOptions {
  readonly fetch: Fetch
  readonly headers: Record<string, string>
  readonly body: string | null
  /** The time limit in milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/** The outcome of an attempt: a response with status 200, or an error. */
interface AttemptOutcome {
  readonly response?: ApiResponse<unknown>
  readonly error?: BillingApiError
}

/** Makes one attempt of a call. Resolves with its response or its error, and never rejects. */
export const attemptOnce = async (
  { method, url, attempt, requestId: sentRequestId }: Attempt,
  { fetch: send, timeout, signal, headers, body }: FetchOptions,
): Promise<AttemptOutcome> => {
  const controller = new AbortController()
  const cancel = endAfter(timeout, signal, (reason) =>
    controller.abort(reason ?? new Error(`timed out after ${timeout} ms`)),
  )
  const failed = (
    reason: string,
    failure: Partial<BillingApiError>,
    options?: ErrorOptions,
  ): AttemptOutcome => {
    const requestId = failure.requestId ?? sentRequestId
    const ids = requestId === sentRequestId ? requestId : `${requestId}, sent as ${sentRequestId}`
    const message = `${method} ${url}: ${reason} (request ${ids})`
    return { error: new BillingApiError(message, { ...failure, requestId, sentRequestId }, options) }
  }
  try {
    // A redirected create would become a GET of the list, and nothing would be created.
    const init = { method, headers, body, signal: controller.signal, redirect: 'manual' } as const
    const response = await send(url, { ...init, ...cacheOption() })
    const { status } = response
    const requestId = response.headers.get(REQUEST_ID) ?? sentRequestId
    const text = await response.text()
    const parsed = parsedBody(text)
    if (status === 200) {
      if (parsed?.data)
        return { response: { data: parsed, requestId, attempts: attempt, headers: response.headers } }
      const problem = bodyProblem(text, response.headers.get('content-type'))
      return failed(problem, { requestId }, { cause: new Error(problem) })
    }
    const errors: ErrorEntry[] = Array.isArray(parsed?.errors) ? parsed.errors : []
    const retryAfter = retryAfterFrom(response.headers.get('retry-after') ?? '')
    return failed(failureText(status, errors), { status, errors, requestId, retryAfter })
  } catch (thrown) {
    const cause: unknown = controller.signal.reason ?? thrown
    return failed(`no response (${reasonOf(cause)})`, {}, { cause })
  } finally {
    cancel()
  }
}
