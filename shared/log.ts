/**
 * The fields of a request's log line. Undefined fields are omitted. No field contains a body, a key or
 * personal data. `gateway_request_id` and `trace_id` join the line with the gateway's access log, where they
 * are `request_id` and `trace_id`.
 */
export interface RequestLog {
  readonly request_id: string
  readonly gateway_request_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly app_id?: string | undefined
  /** The id of the API key that the request was authenticated with. */
  readonly key_id?: string | undefined
  /** The application id in a request whose credentials were refused. */
  readonly claimed_app_id?: string | undefined
  readonly route: string
  /** The version of the function, which distinguishes a new release from the previous one. */
  readonly version?: string | undefined
  readonly status: number
  /** The duration of the request in milliseconds, measured by the function. */
  readonly ms: number
  /** The bytes of the response's body. */
  readonly bytes?: number | undefined
  readonly kind?: string | undefined
  /** The invalid fields of a 4xx, by their names in the contract. */
  readonly fields?: string | undefined
  readonly error?: unknown
}

/** The milliseconds since an instant of `performance.now()`, rounded to a tenth. */
export const millisSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) * 10) / 10

/** The depth limit of logged causes, which may be circular. */
const MAX_CAUSES = 5

/** An error as JSON for the log, with at most `causesLeft` nested causes. */
const loggedError = (error: unknown, causesLeft = MAX_CAUSES): unknown => {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, stack = '', cause } = error
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  // The message of a SyntaxError quotes its input, which may be personal data.
  const message = error instanceof SyntaxError ? undefined : error.message
  return {
    name,
    message,
    stack: frames.map((line) => line.trim()),
    ...(cause === undefined || causesLeft === 0 ? {} : { cause: loggedError(cause, causesLeft - 1) }),
  }
}

/** The level is "error", with stack and causes, for a 5xx, otherwise "info". */
export const logLine = ({ error, ...line }: RequestLog): string => {
  const failed = line.status >= 500
  return JSON.stringify({
    level: failed ? 'error' : 'info',
    ...line,
    ...(failed && error !== undefined ? { error: loggedError(error) } : {}),
  })
}
