import { setLogSink } from '../log.ts'
import { budget } from '../store/budget.ts'
import { apiKeyOf } from '../store/credentials.ts'
import { rehearseRead } from '../store/rehearse.ts'
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
  // The rehearsal takes place while DynamoDB answers.
  const [answer] = await Promise.allSettled([handler({ headers } as never, context as never), rehearseRead()])
  setLogSink(write)
  // Creates the stream, which the first log line would otherwise wait for.
  process.stdout.write('')
  if (answer.status === 'fulfilled' && answer.value.statusCode === 401) return
  // Not the names of a request's line: queries tell those lines by their route.
  const { route, ms, error } = JSON.parse(line)
  const message = 'The warm-up failed; the start goes on.'
  write(JSON.stringify({ level: 'warn', message, function: route, took_ms: ms, error }))
}
