import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { hashOf, newApiKey } from '../../shared/store/credentials.ts'
import { apiKeyKey } from '../../shared/store/keys.ts'

/** The application of the example requests. */
export const app_id = 'app_0123456789abcdef'
const api_key = newApiKey()

/** Returns an API Gateway event with valid credentials and the given parts. */
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

/** The invocation's context, which only knows the remaining time. */
export const context = { getRemainingTimeInMillis: () => 5_000 } as Context

/** The record of the application's API key: its key in the table, and its attributes. */
export const caller = { Key: apiKeyKey(app_id, hashOf(api_key)), Item: { cursor_secret: 'c2VjcmV0' } }
