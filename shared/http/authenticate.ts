import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import { findApplication } from '../store/authorisation.ts'
import { isApplicationId, isReadOnlyKey } from '../store/credentials.ts'
import { headerValues } from './request.ts'
import { requestState } from './state.ts'

/** Returns the 401 error: one and the same for all invalid credentials. */
export const wrongCredentialsError = (): ApiError =>
  new ApiError(
    'unauthorized',
    'Send "Authorization: Bearer <API key>" and "x-app-id: <application id>", once each, of one application. ' +
      'A key is "bdk_" or "bdr_" and 40 letters and digits, without quotes.',
  )

const refuse = (): never => {
  throw wrongCredentialsError()
}

/** Returns the 403 error for a write with a read-only key. */
export const readOnlyKeyError = (): ApiError =>
  new ApiError(
    'forbidden',
    'This API key is read-only ("bdr_…"): it may send GET requests. To write, use a key that begins with "bdk_".',
  )

/**
 * Authenticates the application. All invalid credentials get the same 401. A write with a read-only key is refused
 * whatever its path and body contain. White space around a value is not removed: to the firewall, each spelling of it
 * would be another application with a rate of its own.
 */
export const authenticate = ({ method }: Endpoint): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    const authorization = headerValues(request.event, 'authorization')
    const appIds = headerValues(request.event, 'x-app-id')
    const [, apiKey] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization[0] ?? '') ?? []
    const [appId = ''] = appIds
    if (isApplicationId(appId)) requestState(request).claimedAppId = appId
    if (authorization.length !== 1 || appIds.length !== 1 || !apiKey) return refuse()
    requestState(request).app = (await findApplication(appId, apiKey)) ?? refuse()
    if (method !== 'GET' && isReadOnlyKey(apiKey)) throw readOnlyKeyError()
    return undefined
  },
})
