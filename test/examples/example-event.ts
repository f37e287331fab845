import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { hashOf, newApiKey } from '../../shared/store/credentials.ts'
import { apiKeyKey } from '../../shared/store/keys.ts'

/** The application that the examples' requests come from. */
export const app_id = 'app_0123456789abcdef'
const api_key = newApiKey()

/** A request as API Gateway hands it to a function, with right credentials; say only what it is about. */
export const eventFor = (request: Partial<APIGatewayProxyEvent>): APIGatewayProxyEvent =>
  ({
    headers: { Authorization: `Bearer ${api_key}`, 'x-app-id': app_id, 'Content-Type': 'application/json' },
    pathParameters: null,
    queryStringParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'example' },
    ...request,
  }) as APIGatewayProxyEvent

/** The invocation's context: how much time is left. */
export const context = { getRemainingTimeInMillis: () => 5_000 } as Context

/** The record of the application's key, by which a function knows its caller: where it is and what it holds. */
export const caller = { Key: apiKeyKey(app_id, hashOf(api_key)), Item: { cursor_secret: 'c2VjcmV0' } }
