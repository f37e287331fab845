import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { ApiError } from '../errors.ts'
import { findApplication } from '../store/authorisation.ts'
import { isApplicationId } from '../store/credentials.ts'
import { headerValues } from './request.ts'
import { stateOf } from './state.ts'

const refuse = (): never => {
  throw new ApiError(
    'unauthorized',
    'Send "Authorization: Bearer <API key>" and "x-app-id: <application id>", once each, of one application.',
  )
}

/** Authenticates the application. All invalid credentials get the same 401. */
export const authenticate = (): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    const authorization = headerValues(request.event, 'authorization')
    const appIds = headerValues(request.event, 'x-app-id').map((id) => id.trim())
    const [, apiKey] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization[0] ?? '') ?? []
    const [appId = ''] = appIds
    if (isApplicationId(appId)) stateOf(request).claimedAppId = appId
    if (authorization.length !== 1 || appIds.length !== 1 || !apiKey) return refuse()
    stateOf(request).app = (await findApplication(appId, apiKey)) ?? refuse()
    return undefined
  },
})
