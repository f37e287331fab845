/**
 * The log line of a request. Unknown fields are omitted. It never contains a body, a key or personal data.
 * `gateway_request_id` and `trace_id` join it with the gateway's access log, where they are `request_id` and `trace_id`.
 */
export interface RequestLog {
  readonly request_id: string
  readonly gateway_request_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly app_id?: string | undefined
  /** The id of the API key that the request was authenticated with. */
  readonly key_id?: string | undefined
  /** The application named in a request whose credentials were refused. */
  readonly claimed_app_id?: string | undefined
  readonly route: string
  /** The version of the function, which distinguishes a new release from the previous one. */
  readonly version?: string | undefined
  readonly status: number
  readonly ms: number
  readonly kind?: string | undefined
  /** The invalid fields of a 4xx, by their names in the contract. */
  readonly fields?: string | undefined
  readonly error?: unknown
}

/** Returns the milliseconds since an instant of `performance.now()`, rounded to a tenth. */
export const millisSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) * 10) / 10

/** The depth limit of logged causes, which may be circular. */
const MAX_CAUSES = 5

// The message of a SyntaxError quotes its input, which may be personal data. Only the stack is logged.
const describe = (error: unknown, causes = MAX_CAUSES): unknown => {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, stack = '', cause } = error
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  const message = error instanceof SyntaxError ? undefined : error.message
  return {
    name,
    message,
    stack: frames.map((line) => line.trim()),
    ...(cause === undefined || causes === 0 ? {} : { cause: describe(cause, causes - 1) }),
  }
}

/** Returns the log line of a request: level "error" with cause and stack for 5xx, otherwise "info". */
export const logLine = ({ error, ...line }: RequestLog): string => {
  const failed = line.status >= 500
  return JSON.stringify({
    level: failed ? 'error' : 'info',
    ...line,
    ...(failed && error !== undefined ? { error: describe(error) } : {}),
  })
}
