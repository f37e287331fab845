import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { setLogSink } from '../../shared/log.ts'
import { unspread } from '../../shared/spread.ts'
import { acceptHere } from '../../shared/store/authorisation.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { readApplication } from '../applications/application-records.ts'
import { route, targetOf } from '../local/gateway.ts'
import { sourceHandlers } from '../local/server.ts'
import type { Target } from './target.ts'

const requestContext = { requestId: 'import' }
const context = { getRemainingTimeInMillis: () => FUNCTION_TIMEOUT_MILLIS } as Context

/**
 * The service's handlers in this process, on the configured table. They accept a key that exists in this process only.
 * Throws NotFound for an unknown application.
 */
export const tableTarget = async (appId: string): Promise<Target> => {
  const { cursor_secret: cursorSecret, data } = await readApplication(appId)
  const apiKey = newApiKey()
  acceptHere({ id: appId, keyId: 'operator', cursorSecret, spread: data.spread ?? unspread }, apiKey)
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'x-app-id': appId,
    'content-type': 'application/json',
  }
  const previousSink = setLogSink(() => undefined)
  const send: Target['send'] = async (method, url, body) => {
    const { path, query } = targetOf(url)
    const found = route(catalogue, { method, path, requestId: requestContext.requestId })
    if ('statusCode' in found) throw new Error(`${method} ${path} is not an operation`)
    const event = {
      ...{ headers, requestContext, path, httpMethod: method, body: body ?? null },
      queryStringParameters: Object.fromEntries(query),
      pathParameters: found.id === '' ? null : { id: found.id },
    } as unknown as APIGatewayProxyEvent
    const answer = await (await sourceHandlers(found.endpoint))(event, context)
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text: answer.body,
    }
  }
  return { name: 'the table', appId, send, close: () => void setLogSink(previousSink) }
}
