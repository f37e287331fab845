import { BillingApiError, type ErrorEntry } from './error.ts'
import type { ApiResponse } from './operations.ts'
import type { Attempt, Fetch } from './options.ts'
import { endAfter, retryAfterFrom } from './retry.ts'

export const REQUEST_ID = 'x-request-id'

const parsed = (text: string): { data?: unknown; errors?: unknown } => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const describe = (status: number, errors: readonly ErrorEntry[]): string =>
  errors[0] ? `${status} ${errors[0].title}: ${errors.map(({ detail }) => detail).join(' ')}` : `${status}`

/** What an attempt needs besides what hooks receive. `timeout` is in milliseconds. */
interface FetchOptions {
  readonly fetch: Fetch
  readonly headers: Record<string, string>
  readonly body: string | null
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/** Makes an attempt. Resolves with its response or its error; never rejects. */
export const attemptOnce = async (
  { method, url, attempt, requestId: sentRequestId }: Attempt,
  { fetch: send, timeout, signal, ...content }: FetchOptions,
): Promise<{ response?: ApiResponse<unknown>; error?: BillingApiError }> => {
  const controller = new AbortController()
  const cancel = endAfter(timeout, signal, (reason) =>
    controller.abort(reason ?? new Error(`timed out after ${timeout} ms`)),
  )
  const failed = (
    why: string,
    { requestId = sentRequestId, ...failure }: Partial<BillingApiError>,
    options?: ErrorOptions,
  ) => {
    const ids = requestId === sentRequestId ? requestId : `${requestId}, sent as ${sentRequestId}`
    const message = `${method} ${url}: ${why} (request ${ids})`
    return { error: new BillingApiError(message, { ...failure, requestId, sentRequestId }, options) }
  }
  try {
    // A redirected create would become a GET of the list, and nothing would be created.
    const init = { ...content, method, signal: controller.signal, redirect: 'manual' } as const
    const response = await send(url, init)
    const data = parsed(await response.text())
    const { status, headers } = response
    const requestId = headers.get(REQUEST_ID) ?? sentRequestId
    if (status === 200) {
      if (data.data) return { response: { data, requestId, attempts: attempt, headers } }
      throw new Error('incomplete')
    }
    const errors: ErrorEntry[] = Array.isArray(data.errors) ? data.errors : []
    const retryAfter = retryAfterFrom(headers.get('retry-after') ?? '')
    return failed(describe(status, errors), { status, errors, requestId, retryAfter })
  } catch (thrown) {
    const cause = controller.signal.reason ?? thrown
    // The message of fetch's error is only "fetch failed"; its cause has the reason.
    const why = [cause, cause?.cause].filter(Boolean).join(': ')
    return failed(`no response (${why})`, {}, { cause })
  } finally {
    cancel()
  }
}
