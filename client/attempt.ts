import { BillingApiError, type ErrorEntry } from './error.ts'
import type { ApiResponse } from './operations.ts'
import type { Attempt, Fetch } from './options.ts'
import { retryAfterFrom } from './retry.ts'
import { endAfter } from './timers.ts'

export const REQUEST_ID = 'x-request-id'

/** The body of a response, as far as it has the form of the service's. */
interface ResponseBody {
  readonly data?: unknown
  readonly errors?: unknown
}

/** Returns the parsed body of a response; an empty object if it is not an object in JSON. */
const parsedBody = (text: string): ResponseBody => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

const describe = (status: number, errors: readonly ErrorEntry[]): string => {
  const [first] = errors
  if (!first) return `${status}`
  return `${status} ${first.title}: ${errors.map(({ detail }) => detail).join(' ')}`
}

/** Returns the message of an error and of its cause: that of fetch's error is only "fetch failed". */
const reasonOf = (error: unknown): string => {
  const cause = (error as { readonly cause?: unknown } | undefined)?.cause
  return cause ? `${error}: ${cause}` : `${error}`
}

/** What an attempt needs besides what hooks receive. `timeout` is in milliseconds. */
interface FetchOptions {
  readonly fetch: Fetch
  readonly headers: Record<string, string>
  readonly body: string | null
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/** The outcome of an attempt: a response of status 200, or an error. */
interface Attempted {
  readonly response?: ApiResponse<unknown>
  readonly error?: BillingApiError
}

/** Makes an attempt. Resolves with its response or its error; never rejects. */
export const attemptOnce = async (
  { method, url, attempt, requestId: sentRequestId }: Attempt,
  { fetch: send, timeout, signal, headers, body }: FetchOptions,
): Promise<Attempted> => {
  const controller = new AbortController()
  const cancel = endAfter(timeout, signal, (reason) =>
    controller.abort(reason ?? new Error(`timed out after ${timeout} ms`)),
  )
  const failed = (why: string, failure: Partial<BillingApiError>, options?: ErrorOptions): Attempted => {
    const requestId = failure.requestId ?? sentRequestId
    const ids = requestId === sentRequestId ? requestId : `${requestId}, sent as ${sentRequestId}`
    const message = `${method} ${url}: ${why} (request ${ids})`
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
    return failed(describe(status, errors), { status, errors, requestId, retryAfter })
  } catch (thrown) {
    const cause: unknown = controller.signal.reason ?? thrown
    return failed(`no response (${reasonOf(cause)})`, {}, { cause })
  } finally {
    cancel()
  }
}
