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

/** Returns the parsed body of a response; an empty object if it is not JSON, or is null. */
const parsedBody = (text: string): ResponseBody => {
  try {
    return JSON.parse(text) ?? {}
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
    const response = await send(url, init)
    const { status } = response
    const requestId = response.headers.get(REQUEST_ID) ?? sentRequestId
    const parsed = parsedBody(await response.text())
    if (status === 200) {
      if (!parsed.data) throw new Error('incomplete')
      return { response: { data: parsed, requestId, attempts: attempt, headers: response.headers } }
    }
    const errors: ErrorEntry[] = Array.isArray(parsed.errors) ? parsed.errors : []
    const retryAfter = retryAfterFrom(response.headers.get('retry-after') ?? '')
    return failed(failureText(status, errors), { status, errors, requestId, retryAfter })
  } catch (thrown) {
    const cause: unknown = controller.signal.reason ?? thrown
    return failed(`no response (${reasonOf(cause)})`, {}, { cause })
  } finally {
    cancel()
  }
}
