/**
 * The one line that a request leaves in the log, without what is unknown; never a body, a key or personal data.
 * `gateway_request_id` and `trace_id` join it with the gateway's access log, where they are `request_id` and `trace_id`.
 */
export interface RequestLog {
  readonly request_id: string
  readonly gateway_request_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly app_id?: string | undefined
  /** The id of the API key that the request was authenticated with. */
  readonly key_id?: string | undefined
  /** The application that a request named whose credentials were refused. */
  readonly claimed_app_id?: string | undefined
  readonly route: string
  /** The version of the function, by which releases are watched. */
  readonly version?: string | undefined
  readonly status: number
  readonly ms: number
  readonly error?: unknown
}

/** The milliseconds since an instant of `performance.now()`, to a tenth. */
export const millisSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) * 10) / 10

/** How many causes of causes are told: they may go round in a circle. */
const MOST_CAUSES = 5

// A parser's message quotes what it parsed, which may be a customer; the stack alone tells where it was.
const describe = (error: unknown, causes = MOST_CAUSES): unknown => {
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

type Sink = (line: string) => void
let write: Sink = (line) => void process.stdout.write(`${line}\n`)

/** Sends the log elsewhere than to standard output; returns where it went before. */
export const setLogSink = (sink: Sink): Sink => {
  const before = write
  write = sink
  return before
}

/** Writes a request's line: level "error" with cause and stack for 5xx, else "info". */
export const logRequest = ({ error, ...line }: RequestLog): void => {
  const failed = line.status >= 500
  write(
    JSON.stringify({
      level: failed ? 'error' : 'info',
      ...line,
      ...(failed && error !== undefined ? { error: describe(error) } : {}),
    }),
  )
}
