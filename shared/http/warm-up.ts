import { budget } from '../budget.ts'
import { setLogSink } from '../log.ts'
import { forgetApplications } from '../store/authorisation.ts'
import { rehearsed } from '../store/aws/middleware.ts'
import { apiKeyOf } from '../store/credentials.ts'
import type { Handler } from './serve.ts'

/** The maximum time that a start waits for the warm-up, in milliseconds. */
const WARM_UP_MILLIS = 300

/** One digit for each rehearsal. After five, the first response fits into one scheduling period of a small function. */
const REHEARSALS = '12345'

/** An item that is both a valid key and an entity of any resource, in DynamoDB's JSON. */
const item = {
  pk: { S: '-' },
  sk: { S: '-' },
  order: { S: '-' },
  cursor_secret: { S: '-' },
  data: { M: {} },
}
const found = JSON.stringify({ Item: item, Items: [item] })

/** A request with well-formed credentials that no application has. */
const requestWith = (digit: string) => ({
  headers: { authorization: `Bearer ${apiKeyOf(digit.repeat(32))}`, 'x-app-id': 'app_0' },
  pathParameters: { id: digit },
})

/**
 * Processes requests while the process starts, so that the first use of the pipeline, the SDK and the connection to
 * DynamoDB does not delay the first caller. One request reaches DynamoDB: it is refused, and costs one read of an item
 * that does not exist. Meanwhile, others are rehearsed: their database calls get local responses. Never throws: a failure
 * only logs one line.
 */
export const warmUp = async (handler: Handler): Promise<void> => {
  const end = performance.now() + WARM_UP_MILLIS + budget.early
  const context = { getRemainingTimeInMillis: () => end - performance.now() }
  const respondTo = (digit: string) => handler(requestWith(digit) as never, context as never)
  const rehearse = async () => {
    for (const digit of REHEARSALS) await rehearsed(found, () => respondTo(digit))
  }
  let failure: { route?: string; ms?: number; error?: unknown } | undefined
  const write = setLogSink((text) => {
    const line = JSON.parse(text)
    if (line.level === 'error') failure ??= line
  })
  await Promise.all([respondTo('0'), rehearse()]).catch((error) => {
    failure ??= { error: String(error) }
  })
  // The rehearsed keys were found; no caller may use one.
  forgetApplications()
  setLogSink(write)
  // Node creates the stream at the first access, which would otherwise delay the first log line.
  void process.stdout
  if (!failure) return
  // Without `route`, by which log queries recognise requests.
  const { route, ms, error } = failure
  const message = 'The warm-up failed; the start goes on.'
  write(JSON.stringify({ level: 'warn', message, function: route, took_ms: ms, error }))
}
