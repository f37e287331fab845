import { budget } from '../budget.ts'
import type { Handler } from '../http/serve.ts'
import { apiKeyOf } from '../store/credentials.ts'
import { currentService, inService } from '../store/service.ts'

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
  const end = performance.now() + budget.warmUp + budget.responseReserve
  const context = { getRemainingTimeInMillis: () => end - performance.now() }
  const respondTo = (digit: string) => handler(requestWith(digit) as never, context as never)
  const started = currentService()
  let failure: { route?: string; ms?: number; error?: unknown } | undefined
  const log = (text: string): void => {
    const line = JSON.parse(text)
    if (line.level === 'error') failure ??= line
  }
  // Caches of their own: the rehearsed keys are found, and no caller may use one.
  const warming = { ...started, log, keyCache: new Map() }
  const rehearsal = { ...started, log, keyCache: new Map(), rehearsedResponse: found }
  const rehearse = async () => {
    for (const digit of REHEARSALS) await respondTo(digit)
  }
  const both = [inService(warming, () => respondTo('0')), inService(rehearsal, rehearse)]
  await Promise.all(both).catch((error) => {
    failure ??= { error: String(error) }
  })
  // Node creates the stream at the first access, which would otherwise delay the first log line.
  void process.stdout
  if (!failure) return
  // Without `route`, by which log queries recognise requests.
  const { route, ms, error } = failure
  const message = 'The warm-up failed; startup continues.'
  started.log(JSON.stringify({ level: 'warn', message, function: route, took_ms: ms, error }))
}
