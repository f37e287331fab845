import { budget } from '../budget.ts'
import { setLogSink } from '../log.ts'
import { apiKeyOf } from '../store/credentials.ts'
import type { Handler } from './serve.ts'

/** The longest that a start waits for the warm-up, in milliseconds. */
const WARM_UP_MILLIS = 300

const context = { getRemainingTimeInMillis: () => WARM_UP_MILLIS + budget.early }

/**
 * Sends the handler a request that it refuses, so that the first use of the pipeline, the SDK and the connection to
 * DynamoDB falls into the start of the process. The credentials are well-formed but of no application: they cost one
 * read of an item that does not exist. Never throws: a failure leaves one line in the log and nothing else.
 */
export const warmUp = async (handler: Handler): Promise<void> => {
  const headers = { authorization: `Bearer ${apiKeyOf('0'.repeat(32))}`, 'x-app-id': 'app_0' }
  let line = '{}'
  const write = setLogSink((text) => {
    line = text
  })
  const refused = await handler({ headers } as never, context as never).then(
    ({ statusCode }) => statusCode === 401,
    () => false,
  )
  setLogSink(write)
  // Node creates the stream when it is first read, which the first log line would otherwise wait for.
  void process.stdout
  if (refused) return
  // Not the names of a request's line: queries tell those lines by their route.
  const { route, ms, error } = JSON.parse(line)
  const message = 'The warm-up failed; the start goes on.'
  write(JSON.stringify({ level: 'warn', message, function: route, took_ms: ms, error }))
}
