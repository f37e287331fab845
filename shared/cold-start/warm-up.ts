import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { budget } from '../budget.ts'
import type { Handler } from '../http/serve.ts'
import { apiKeyOf } from '../store/credentials.ts'
import { currentService, inService } from '../store/service.ts'

/** After five rehearsals, a first response fits into one scheduling period of a small function. */
const REHEARSALS = ['1', '2', '3', '4', '5']

/** The digit of the request that reaches DynamoDB. */
const REAL = '0'

/** An item that is both a valid key and an entity of any resource, in DynamoDB's JSON. */
const item = {
  pk: { S: '-' },
  sk: { S: '-' },
  order: { S: '-' },
  cursor_secret: { S: '-' },
  data: { M: {} },
}
/** The response to every rehearsed call, which has the members of the responses to both a get and a query. */
const rehearsedResponse = JSON.stringify({ Item: item, Items: [item] })

/** A request with well-formed credentials that no application has. */
const requestWith = (digit: string) =>
  ({
    headers: { authorization: `Bearer ${apiKeyOf(digit.repeat(32))}`, 'x-app-id': 'app_0' },
    pathParameters: { id: digit },
  }) as unknown as APIGatewayProxyEvent

/** The members of a log line that the warm-up reads. */
interface LoggedFailure {
  readonly route?: string
  readonly ms?: number
  readonly error?: unknown
}

/**
 * Processes requests while the process starts, so that the first use of the pipeline, the SDK and the
 * connection to DynamoDB does not delay the first caller. One request reaches DynamoDB: it is refused, and
 * costs one read of an item that does not exist. Meanwhile, others are rehearsed: their database calls get
 * local responses. Never throws: a failure only logs one line.
 */
export const warmUp = async (handler: Handler): Promise<void> => {
  const end = performance.now() + budget.warmUp + budget.responseReserve
  const context = { getRemainingTimeInMillis: () => end - performance.now() } as Context
  const respondTo = (digit: string) => handler(requestWith(digit), context)
  const startedService = currentService()
  let failure: LoggedFailure | undefined
  const log = (text: string): void => {
    const line = JSON.parse(text)
    if (line.level === 'error') failure ??= line
  }
  // Each has a cache of its own: the rehearsals find keys, which no caller may use.
  const realService = { ...startedService, log, keyCache: new Map() }
  const rehearsingService = { ...startedService, log, keyCache: new Map(), rehearsedResponse }
  const rehearse = async () => {
    for (const digit of REHEARSALS) await respondTo(digit)
  }
  const requests = [inService(realService, () => respondTo(REAL)), inService(rehearsingService, rehearse)]
  await Promise.all(requests).catch((error) => {
    failure ??= { error: String(error) }
  })
  // Node creates the stream at the first access, which would otherwise delay the first log line.
  void process.stdout
  if (!failure) return
  // The line has no `route`, by which log queries recognise requests.
  const { route, ms, error } = failure
  const message = 'The warm-up failed; startup continues.'
  startedService.log(JSON.stringify({ level: 'warn', message, function: route, took_ms: ms, error }))
}
